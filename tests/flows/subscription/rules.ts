import type { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import type { Plan } from '../../../machines/model/subscription.ts';
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
      always('what is shown are the plans that the server said last', (moment) => {
        const said = answerOf<Plan[]>(moment, 'loadPlans') ?? moment.before?.context.plans ?? [];
        return JSON.stringify(moment.snapshot.context.plans) === JSON.stringify(said);
      }),
      always('the server is asked for the plan of the address', (moment) => {
        const asked = askedOf<{ planId: string }>(moment, 'loadPlans');
        return asked === undefined || asked.planId === moment.snapshot.context.wanted;
      }),
      always('a plan that is not there is said to be missing, and nothing else is', (moment) => {
        const said = answerOf<Plan[]>(moment, 'loadPlans');
        if (said === undefined) return true;
        return moment.snapshot.matches('notFound') === (moment.snapshot.context.wanted !== '' && said.length === 0);
      }),
      invariant('a store that sells none offers none', ({ value, context }) => context.sells || value === 'closed'),
    ],
    ledOn: { 'subscription.notFound': 'a link leads to the subscriptions that there are' },
  },
};
