import { expect } from '@playwright/test';
import { frameArrives } from '../../causes.ts';
import type { Stage } from '../../stage.ts';
import { models } from '../../../../machines/path-models/shell/language/paths.ts';

/** The language has no element: the page says which one it speaks. */
export const stage: Stage = {
  name: 'language',
  models,
  address: () => '/',
  arrives: frameArrives,
  shows: async ({ page }, { context }) => {
    const { locale } = context as { locale: string };
    await expect(page.locator('html')).toHaveAttribute('lang', locale);
    await expect(page.locator('[data-event="language.chosen"]')).toHaveValue(locale);
  },
  ports: {
    loadLanguage: {
      asks: ({ pathname }) => pathname.endsWith('/locales.fr.js'),
      answer: () => 'lost',
      serverGives: ({ type }) => type.startsWith('xstate.done.'),
    },
  },
};
