import { expect } from '@playwright/test';
import type { OwnedCopies } from '../../../../machines/app/owned-titles.ts';
import { models } from '../../../../machines/path-models/shell/frame/paths.ts';
import { frameArrives, inOtherTabSession } from '../../causes.ts';
import type { Stage } from '../../stage.ts';
import { json } from '../../wires.ts';

const free = '1011';
const isOwn = (copies: OwnedCopies): boolean => copies[free] === 'own';
const hasNone = (copies: OwnedCopies): boolean => Object.keys(copies).length === 0;

/** What is the customer's has no element of its own: every place of a title says it, here the page of a free one. */
export const stage: Stage = {
  name: 'ownedTitles',
  models: models.filter(({ name }) => name === 'ownedTitles'),
  address: () => `/id:${free}`,
  arrives: frameArrives,
  shows: async ({ page }, snapshot) => {
    const { copies } = snapshot.context as { copies: OwnedCopies };
    const title = page.locator('[data-flow="title"]');
    if (snapshot.matches('visitor')) await expect(title).toContainText('Get it for free');
    // A free title stays one for subscribers: they are given it for good.
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
  // What is theirs they cannot get again.
  isPossible: (snapshot, { type }) => type !== 'title.granted' || !isOwn((snapshot.context as { copies: OwnedCopies }).copies),
  causes: {
    'session.changed': (world, event) => inOtherTabSession(world, event),
    'title.granted': ({ page }) => page.getByRole('button', { name: 'Get it for free' }).click(),
  },
};
