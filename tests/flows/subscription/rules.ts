import type { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import type { SubscriptionStatus } from '../../../machines/app/frame.ts';
import { answerOf, askedOf, rulesFor } from '../../../machines/paths/rules.ts';
import type { MachineRules } from '../../support/rules.ts';

const { always, invariant, onlyAfter } = rulesFor<typeof subscriptionMachine>();

export const rules: Record<string, MachineRules> = {
  subscription: {
    rules: [
      onlyAfter('nobody is said to have subscribed whom the server does not know as such', {
        cause: (moment) => answerOf<SubscriptionStatus>(moment, 'subscriptionStatus')?.subscribed === true,
        what: ({ snapshot }) => snapshot.matches('subscribed'),
      }),
      always('only a customer is asked about', (moment) => {
        return askedOf(moment, 'subscriptionStatus') === undefined || moment.snapshot.context.signedIn;
      }),
      invariant('a store that sells none offers none', ({ value, context }) => context.sells || value === 'closed'),
    ],
  },
};
