import { expect } from '@playwright/test';
import type { OwnedCopies } from '../../../../machines/app/owned-titles.ts';
import { models } from '../../../../machines/path-models/shell/frame/paths.ts';
import { frameArrives, inOtherTabSession } from '../../causes.ts';
import type { BrowserAdapter } from '../../stage.ts';
import { json } from '../../wires.ts';

const free = '1011';
const isOwn = (copies: OwnedCopies): boolean => copies[free] === 'own';
const hasNone = (copies: OwnedCopies): boolean => Object.keys(copies).length === 0;

/**
 * Ownership has no element of its own: every appearance of a title shows it, here the page of a
 * free one.
 */
export const adapter: BrowserAdapter = {
  name: 'ownedTitles',
  models: models.filter(({ name }) => name === 'ownedTitles'),
  address: () => `/id:${free}`,
  arrives: frameArrives,
  shows: async ({ page }, snapshot) => {
    const { copies } = snapshot.context as { copies: OwnedCopies };
    const title = page.locator('[data-flow="title"]');
    if (snapshot.matches('visitor')) await expect(title).toContainText('Get it for free');
    // A free title remains available to subscribers, who then own it permanently.
    if (isOwn(copies)) await expect(title).toContainText('In your library');
    else if (!hasNone(copies)) await expect(title).toContainText('Get it for free');
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
        isOwn(copies) === body.includes('"titleId"') && (isOwn(copies) || hasNone(copies) !== body.includes(`"${free}"`)),
    },
  },
  // Owned titles cannot be obtained again.
  isPossible: (snapshot, { type }) => type !== 'title.granted' || !isOwn((snapshot.context as { copies: OwnedCopies }).copies),
  causes: {
    'session.changed': (world, event) => inOtherTabSession(world, event),
    'title.granted': ({ page }) => page.getByRole('button', { name: 'Get it for free' }).click(),
  },
};
