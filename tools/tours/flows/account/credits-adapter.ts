import type { creditsMachine } from '../../../../machines/account/credits.ts';
import type { CreditBalance } from '../../../../machines/model/buying/subscription.ts';
import { waitForFlowAndRecorder } from '../../causes.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { json } from '../../wires.ts';
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
  address: () => '/account',
  startsSignedIn: () => true,
  headings,
  arrives: waitForFlowAndRecorder,
  ports: {
    loadCredits: {
      asks: ({ pathname }) => pathname.endsWith('/credits/balance'),
      answer: ({ balance, currency, accepted }: CreditBalance) =>
        json({ CreditBalance: balance, CreditCurrency: currency, EnableBuyWithCredits: accepted }),
      says: ({ balance, accepted }: CreditBalance, body) =>
        body.includes(`"CreditBalance":${balance},`) && body.includes(`"EnableBuyWithCredits":${accepted}`),
    },
  },
};
