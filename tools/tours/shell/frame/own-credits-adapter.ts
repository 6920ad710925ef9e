import { expect } from '@playwright/test';
import type { CreditBalance } from '../../../../machines/model/buying/subscription.ts';
import { models } from '../../../../machines/path-models/shell/frame/paths.ts';
import { changeCreditsElsewhere, wakeAndWaitForFrame, changeOtherTabSession } from '../../causes.ts';
import type { BrowserAdapter } from '../../browser-adapter.ts';
import { json } from '../../wires.ts';

/** The number has no element of its own until it is known. */
export const adapter: BrowserAdapter = {
  name: 'ownCredits',
  // The other store has another address; its screen is that of a visitor.
  models: models.filter(({ name, input }) => name === 'ownCredits' && (input as { takesCredits: boolean }).takesCredits),
  address: () => '/about',
  arrives: wakeAndWaitForFrame,
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
    'session.changed': (world, event) => changeOtherTabSession(world, event),
    'credits.changed': changeCreditsElsewhere,
    // Part of the minute has passed with the failed call: advancing by more than the rest would
    // time out the next call, too.
    'xstate.after.readAgain.ownCredits.customer.unknown': ({ page, waiting }) =>
      expect(async () => {
        await page.clock.runFor(1_000);
        expect(waiting('creditBalance')).toBeGreaterThan(0);
      }).toPass({ intervals: [50] }),
  },
};
