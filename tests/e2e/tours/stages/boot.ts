import { expect } from '@playwright/test';
import type { bootMachine } from '../../../../machines/app/boot.ts';
import { element, fields } from '../../../../server/xml/write.ts';
import { flowModels } from '../../../machines/flows.paths.ts';
import { askForProperties } from '../../pages/wire.ts';
import { frameStands } from '../frame.ts';
import type { Headings, Stage } from '../stage.ts';
import { xml } from '../wires.ts';

const headings: Headings<typeof bootMachine> = {
  loading: null,
  unreachable: 'The shop cannot be reached',
  valid: null,
  invalid: null,
};

export const boot: Stage = {
  name: 'boot',
  models: flowModels.filter(({ name }) => name === 'boot'),
  address: () => '/terms',
  headings,
  prepares: async ({ page }) => {
    await askForProperties(page);
    return undefined;
  },
  ports: {
    storeProperties: {
      asks: ({ pathname }) => pathname.endsWith('/store/properties'),
      answer: ({ shelfId }: { shelfId: string }) => xml(element('StoreProperties', [fields({ ShelfId: shelfId })])),
      says: (_: unknown, body) => body.includes('<ShelfId>'),
    },
  },
};

/** The language has no element: the page says which one it speaks. */
export const language: Stage = {
  name: 'language',
  models: flowModels.filter(({ name }) => name === 'language'),
  address: () => '/',
  arrives: frameStands,
  shows: async ({ page }, { context }) => {
    const { locale } = context as { locale: string };
    await expect(page.locator('html')).toHaveAttribute('lang', locale);
    await expect(page.locator('[data-event="language.chosen"]')).toHaveValue(locale);
  },
  ports: {
    loadLanguage: {
      asks: ({ pathname }) => /\/assets\/fr-[^/]*\.js$/.test(pathname),
      answer: () => 'lost',
      serverGives: ({ type }) => type.startsWith('xstate.done.'),
    },
  },
};
