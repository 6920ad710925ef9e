import { expect } from '@playwright/test';
import type { CreditBalance } from '../../../../machines/model/buying/subscription.ts';
import { models } from '../../../../machines/path-models/shell/frame/paths.ts';
import { changeCreditsElsewhere, wakeAndWaitForFrame, changeOtherTabSession } from '../../causes.ts';
import type { BrowserAdapter } from '../../browser-adapter.ts';
import { toJsonResponse } from '../../wires.ts';

/** The customer's credits have an element only once they are known. */
export const adapter: BrowserAdapter = {
  name: 'ownCredits',
  // The model of a store that takes no credits is left out: its screen is the same as a visitor's.
  models: models.filter(({ name, input }) => name === 'ownCredits' && (input as { takesCredits: boolean }).takesCredits),
  getStartPath: () => '/about',
  openScreen: wakeAndWaitForFrame,
  checkState: async ({ page }, snapshot) => {
    const { isKnown, balance } = snapshot.context as { isKnown: boolean; balance: number };
    const creditsElement = page.locator('header [data-credits]');
    await expect(creditsElement).toHaveCount(isKnown ? 1 : 0);
    if (isKnown) await expect(creditsElement).toHaveText(balance === 1 ? '1 Credit' : `${balance} Credits`);
  },
  ports: {
    creditBalance: {
      matches: ({ pathname }) => pathname.endsWith('/credits/balance'),
      toResponse: ({ balance, currency }: CreditBalance) =>
        toJsonResponse({ CreditBalance: balance, CreditCurrency: currency, EnableBuyWithCredits: true }),
      isEquivalent: ({ balance }: CreditBalance, body) => body.includes(`"CreditBalance":${balance},`),
    },
  },
  causes: {
    'session.changed': (walk, event) => changeOtherTabSession(walk, event),
    'credits.changed': changeCreditsElsewhere,
    // Part of the minute has passed during the failed call: the clock advances in small steps, so
    // that it does not also pass the timeout of the next call.
    'xstate.after.readAgain.ownCredits.customer.unknown': ({ page, countHeldRequests }) =>
      expect(async () => {
        await page.clock.runFor(1_000);
        expect(countHeldRequests('creditBalance')).toBeGreaterThan(0);
      }).toPass({ intervals: [50] }),
  },
};
