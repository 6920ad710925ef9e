import { expect, type Page } from '@playwright/test';
import { models } from '../../../../machines/path-models/shell/frame/paths.ts';
import { wakeAndWaitForFrame } from '../../causes.ts';
import type { GetReaction } from '../../in-shop.ts';
import type { BrowserAdapter } from '../../browser-adapter.ts';
import { toJsonResponse } from '../../wires.ts';

/** Returns no reaction to a navigation: the frame remains when the screen in it changes. */
const getReaction: GetReaction = (fact, _, target) => (target === 'parent' && fact.type === 'go' ? null : undefined);

const getSearchField = (page: Page) => page.getByRole('combobox', { name: 'Search the shop' });

/**
 * The search box has no element: its state shows in the list of suggestions and in the suggestion
 * that is selected by arrow keys.
 */
export const adapter: BrowserAdapter = {
  name: 'searchBox',
  models: models.filter(({ name }) => name === 'searchBox'),
  getStartPath: () => '/',
  getReaction,
  openScreen: wakeAndWaitForFrame,
  checkState: async ({ page }, snapshot) => {
    const { active } = snapshot.context as { active: number | null };
    const list = page.getByRole('listbox', { name: 'Suggestions' });
    await expect(list).toHaveCount(snapshot.matches('offering') ? 1 : 0);
    await expect(list.getByRole('option', { selected: true })).toHaveCount(
      snapshot.matches('offering') && active !== null ? 1 : 0,
    );
  },
  ports: {
    suggestions: {
      matches: ({ pathname }) => pathname.endsWith('/titles/suggestions'),
      toResponse: (suggestions: { kind: string; text: string }[]) =>
        toJsonResponse({ suggestions: suggestions.map(({ kind, text }) => ({ kind, text, id: '1001' })) }),
      isEquivalent: (suggestions: unknown[], body) => suggestions.length > 0 === body.includes('"kind"'),
    },
  },
  causes: {
    'search.typed': ({ page }, { pii }) => getSearchField(page).fill((pii as { typed: string }).typed),
    'search.closed': ({ page }) => getSearchField(page).press('Escape'),
    'suggestion.moved': ({ page }, { by }) => getSearchField(page).press(by === 1 ? 'ArrowDown' : 'ArrowUp'),
  },
};
