import type { creditsMachine } from '../../../../machines/account/credits.ts';
import type { CreditBalance } from '../../../../machines/model/buying/subscription.ts';
import { waitForFlowAndRecorder } from '../../causes.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { toJsonResponse } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';

const headings: Headings<typeof creditsMachine> = {
  loading: 'Credits',
  shown: 'Credits',
  none: null,
  failed: 'We couldn’t load your credits',
};

export const adapter: BrowserAdapter = {
  name: 'credits',
  models: models.filter(({ name }) => name === 'credits'),
  getStartPath: () => '/account',
  startsSignedIn: () => true,
  headings,
  openScreen: waitForFlowAndRecorder,
  ports: {
    loadCredits: {
      matches: ({ pathname }) => pathname.endsWith('/credits/balance'),
      toResponse: ({ balance, currency, accepted }: CreditBalance) =>
        toJsonResponse({ CreditBalance: balance, CreditCurrency: currency, EnableBuyWithCredits: accepted }),
      isEquivalent: ({ balance, accepted }: CreditBalance, body) =>
        body.includes(`"CreditBalance":${balance},`) && body.includes(`"EnableBuyWithCredits":${accepted}`),
    },
  },
};
