import { expect } from '@playwright/test';
import type { OwnedCopies } from '../../../../machines/app/owned-titles.ts';
import { models } from '../../../../machines/path-models/shell/frame/paths.ts';
import { wakeAndWaitForFrame, changeOtherTabSession } from '../../causes.ts';
import type { BrowserAdapter } from '../../browser-adapter.ts';
import { json } from '../../wires.ts';

const FREE_TITLE_ID = '1011';
const ownsFreeTitle = (copies: OwnedCopies): boolean => copies[FREE_TITLE_ID] === 'own';
const ownsNothing = (copies: OwnedCopies): boolean => Object.keys(copies).length === 0;

/**
 * Ownership has no element of its own: every appearance of a title shows it, here the page of a
 * free one.
 */
export const adapter: BrowserAdapter = {
  name: 'ownedTitles',
  models: models.filter(({ name }) => name === 'ownedTitles'),
  address: () => `/id:${FREE_TITLE_ID}`,
  arrives: wakeAndWaitForFrame,
  shows: async ({ page }, snapshot) => {
    const { copies } = snapshot.context as { copies: OwnedCopies };
    const title = page.locator('[data-flow="title"]');
    if (snapshot.matches('visitor')) await expect(title).toContainText('Get it for free');
    // A free title remains available to subscribers, who then own it permanently.
    if (ownsFreeTitle(copies)) await expect(title).toContainText('In your library');
    else if (!ownsNothing(copies)) await expect(title).toContainText('Get it for free');
  },
  ports: {
    ownedCopies: {
      asks: ({ pathname }) => pathname.endsWith('/user/titles'),
      answer: (copies: OwnedCopies) => {
        const of = (how: 'own' | 'subscription') => Object.keys(copies).filter((id) => copies[id] === how);
        const titles = of('own').map((titleId) => ({ titleId, instanceId: 'i1' }));
        return json({ titles, opened: of('subscription'), opensAll: false });
      },
      says: (copies: OwnedCopies, body) =>
        ownsFreeTitle(copies) === body.includes('"titleId"') &&
        (ownsFreeTitle(copies) || ownsNothing(copies) !== body.includes(`"${FREE_TITLE_ID}"`)),
    },
  },
  // Owned titles cannot be obtained again.
  isPossible: (snapshot, { type }) =>
    type !== 'title.granted' || !ownsFreeTitle((snapshot.context as { copies: OwnedCopies }).copies),
  causes: {
    'session.changed': (world, event) => changeOtherTabSession(world, event),
    'title.granted': ({ page }) => page.getByRole('button', { name: 'Get it for free' }).click(),
  },
};
