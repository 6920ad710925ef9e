import { expect } from '@playwright/test';
import type { OwnedCopies } from '../../../../machines/app/owned-titles.ts';
import { models } from '../../../../machines/path-models/shell/frame/paths.ts';
import { wakeAndWaitForFrame, changeOtherTabSession } from '../../causes.ts';
import type { BrowserAdapter } from '../../browser-adapter.ts';
import { toJsonResponse } from '../../wires.ts';

const FREE_TITLE_ID = '1011';
const ownsFreeTitle = (copies: OwnedCopies): boolean => copies[FREE_TITLE_ID] === 'own';
const ownsNothing = (copies: OwnedCopies): boolean => Object.keys(copies).length === 0;

/**
 * Ownership has no element: every appearance of a title shows it; a walk checks the page of a free
 * title.
 */
export const adapter: BrowserAdapter = {
  name: 'ownedTitles',
  models: models.filter(({ name }) => name === 'ownedTitles'),
  getStartPath: () => `/id:${FREE_TITLE_ID}`,
  openScreen: wakeAndWaitForFrame,
  checkState: async ({ page }, snapshot) => {
    const { copies } = snapshot.context as { copies: OwnedCopies };
    const title = page.locator('[data-flow="title"]');
    if (snapshot.matches('visitor')) await expect(title).toContainText('Get it for free');
    // A free title remains available to subscribers, who then own it permanently.
    if (ownsFreeTitle(copies)) await expect(title).toContainText('In your library');
    else if (!ownsNothing(copies)) await expect(title).toContainText('Get it for free');
  },
  ports: {
    ownedCopies: {
      matches: ({ pathname }) => pathname.endsWith('/user/titles'),
      toResponse: (copies: OwnedCopies) => {
        const listTitleIds = (right: 'own' | 'subscription') => Object.keys(copies).filter((id) => copies[id] === right);
        const titles = listTitleIds('own').map((titleId) => ({ titleId, instanceId: 'i1' }));
        return toJsonResponse({ titles, opened: listTitleIds('subscription'), opensAll: false });
      },
      isEquivalent: (copies: OwnedCopies, body) =>
        ownsFreeTitle(copies) === body.includes('"titleId"') &&
        (ownsFreeTitle(copies) || ownsNothing(copies) !== body.includes(`"${FREE_TITLE_ID}"`)),
    },
  },
  // Owned titles cannot be obtained again.
  isPossible: (snapshot, { type }) =>
    type !== 'title.granted' || !ownsFreeTitle((snapshot.context as { copies: OwnedCopies }).copies),
  causes: {
    'session.changed': (walk, event) => changeOtherTabSession(walk, event),
    'title.granted': ({ page }) => page.getByRole('button', { name: 'Get it for free' }).click(),
  },
};
