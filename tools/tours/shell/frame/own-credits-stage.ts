import { expect } from '@playwright/test';
import type { CreditBalance } from '../../../../machines/model/buying/subscription.ts';
import { models } from '../../../../machines/path-models/shell/frame/paths.ts';
import { creditsChangeElsewhere, frameArrives, inOtherTabSession } from '../../causes.ts';
import type { Stage } from '../../stage.ts';
import { json } from '../../wires.ts';

/** The number has no element of its own while it is not known. */
export const stage: Stage = {
  name: 'ownCredits',
  // The other store has another address; what it shows is what a visitor sees.
  models: models.filter(({ name, input }) => name === 'ownCredits' && (input as { takesCredits: boolean }).takesCredits),
  address: () => '/about',
  arrives: frameArrives,
  shows: async ({ page }, snapshot) => {
    const { isKnown, balance } = snapshot.context as { isKnown: boolean; balance: number };
    const shown = page.locator('header [data-credits]');
    await expect(shown).toHaveCount(isKnown ? 1 : 0);
    if (isKnown) await expect(shown).toHaveText(balance === 1 ? '1 Credit' : `${balance} Credits`);
  },
  ports: {
    creditBalance: {
      asks: ({ pathname }) => pathname.endsWith('/credits/balance'),
      answer: ({ balance, currency }: CreditBalance) =>
        json({ CreditBalance: balance, CreditCurrency: currency, EnableBuyWithCredits: true }),
      says: ({ balance }: CreditBalance, body) => body.includes(`"CreditBalance":${balance},`),
    },
  },
  causes: {
    'session.changed': (world, event) => inOtherTabSession(world, event),
    'credits.changed': creditsChangeElsewhere,
    // Some of the minute has passed with the call that failed: more than what is left of it would end the next call, too.
    'xstate.after.readAgain.ownCredits.customer.unknown': ({ page, waiting }) =>
      expect(async () => {
        await page.clock.runFor(1_000);
        expect(waiting('creditBalance')).toBeGreaterThan(0);
      }).toPass({ intervals: [50] }),
  },
};
