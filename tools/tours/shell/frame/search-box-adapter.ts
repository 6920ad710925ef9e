import { expect, type Page } from '@playwright/test';
import { models } from '../../../../machines/path-models/shell/frame/paths.ts';
import { wakeAndWaitForFrame } from '../../causes.ts';
import type { Reacts } from '../../in-shop.ts';
import type { BrowserAdapter } from '../../browser-adapter.ts';
import { json } from '../../wires.ts';

/** The frame remains when the screens within it change. */
const reacts: Reacts = (fact, _, to) => (to === 'parent' && fact.type === 'go' ? null : undefined);

const searchField = (page: Page) => page.getByRole('combobox', { name: 'Search the shop' });

/**
 * The searchBox has no element: its field shows the suggestion reached by arrow keys, and the list
 * below it is present or not.
 */
export const adapter: BrowserAdapter = {
  name: 'searchBox',
  models: models.filter(({ name }) => name === 'searchBox'),
  address: () => '/',
  reacts,
  arrives: wakeAndWaitForFrame,
  shows: async ({ page }, snapshot) => {
    const { active } = snapshot.context as { active: number | null };
    const list = page.getByRole('listbox', { name: 'Suggestions' });
    await expect(list).toHaveCount(snapshot.matches('offering') ? 1 : 0);
    await expect(list.getByRole('option', { selected: true })).toHaveCount(
      snapshot.matches('offering') && active !== null ? 1 : 0,
    );
  },
  ports: {
    suggestions: {
      asks: ({ pathname }) => pathname.endsWith('/titles/suggestions'),
      answer: (all: { kind: string; text: string }[]) =>
        json({ suggestions: all.map(({ kind, text }) => ({ kind, text, id: '1001' })) }),
      says: (all: unknown[], body) => all.length > 0 === body.includes('"kind"'),
    },
  },
  causes: {
    'search.typed': ({ page }, { pii }) => searchField(page).fill((pii as { typed: string }).typed),
    'search.left': ({ page }) => searchField(page).press('Escape'),
    'suggestion.moved': ({ page }, { by }) => searchField(page).press(by === 1 ? 'ArrowDown' : 'ArrowUp'),
  },
};
