import { expect } from '@playwright/test';
import { wakeAndWaitForFrame } from '../../causes.ts';
import type { BrowserAdapter } from '../../browser-adapter.ts';
import { models } from '../../../../machines/path-models/shell/language/paths.ts';

/** The language has no element: the page's `lang` shows it. */
export const adapter: BrowserAdapter = {
  name: 'language',
  models,
  address: () => '/',
  arrives: wakeAndWaitForFrame,
  shows: async ({ page }, { context }) => {
    const { locale } = context as { locale: string };
    await expect(page.locator('html')).toHaveAttribute('lang', locale);
    await expect(page.locator('[data-event="language.chosen"]')).toHaveValue(locale);
  },
  ports: {
    loadLanguage: {
      asks: ({ pathname }) => pathname.endsWith('/locales.fr.js'),
      answer: () => 'lost',
      serverWillAnswer: ({ type }) => type.startsWith('xstate.done.'),
    },
  },
};
