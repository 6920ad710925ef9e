import { expect } from '@playwright/test';
import { wakeAndWaitForFrame } from '../../causes.ts';
import type { BrowserAdapter } from '../../browser-adapter.ts';
import { models } from '../../../../machines/path-models/shell/language/paths.ts';

/** The language has no element: its state shows in the page's `lang` and in the language select. */
export const adapter: BrowserAdapter = {
  name: 'language',
  models,
  getStartPath: () => '/',
  openScreen: wakeAndWaitForFrame,
  checkState: async ({ page }, { context }) => {
    const { locale } = context as { locale: string };
    await expect(page.locator('html')).toHaveAttribute('lang', locale);
    await expect(page.locator('[data-event="language.chosen"]')).toHaveValue(locale);
  },
  ports: {
    loadLanguage: {
      matches: ({ pathname }) => pathname.endsWith('/locales.fr.js'),
      toResponse: () => 'lost',
      serverWillAnswer: ({ type }) => type.startsWith('xstate.done.'),
    },
  },
};
