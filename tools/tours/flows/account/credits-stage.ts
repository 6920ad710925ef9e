import type { creditsMachine } from '../../../../machines/account/credits.ts';
import type { CreditBalance } from '../../../../machines/model/buying/subscription.ts';
import { standsRecorded } from '../../causes.ts';
import type { Headings, Stage } from '../../stage.ts';
import { json } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';

const headings: Headings<typeof creditsMachine> = {
  loading: 'Credits',
  shown: 'Credits',
  none: null,
  failed: 'We couldn’t load your credits',
};

export const stage: Stage = {
  name: 'credits',
  models: models.filter(({ name }) => name === 'credits'),
  address: () => '/account',
  startsSignedIn: () => true,
  headings,
  arrives: standsRecorded,
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
