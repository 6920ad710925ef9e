import { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import type { Plan } from '../../../machines/model/subscription.ts';
import { flowInput, problems, rejections, route, store, type PathModel } from '../../support/path-model.ts';
import { subscriptionDescription } from './descriptions.ts';
import { described } from '../../support/description.ts';

const monthly: Plan = {
  id: 'monthly',
  name: 'Monthly',
  description: 'All titles',
  price: { amount: 4.99, currency: 'USD', symbol: '$' },
  interval: 'month',
  trialDays: 14,
  credits: 2,
};
const yearly: Plan = { ...monthly, id: 'yearly', name: 'Yearly', interval: 'year', trialDays: 0 };

const all = route({ flow: 'subscription', path: '/subscription' });
const one = route({ flow: 'subscription', path: '/subscription?planid=monthly', query: { planid: 'monthly' } });

const subscription = (part: Partial<PathModel>): PathModel => ({
  name: 'subscription',
  machine: subscriptionMachine,
  description: subscriptionDescription,
  given: 'As a visitor, open /subscription.',
  input: flowInput({ flow: 'subscription', path: '/subscription' }),
  cases: {
    'xstate.done.actor.loadPlans': [
      described('some', { output: [monthly, yearly] }),
      described('one', { output: [monthly] }),
      described('none', { output: [] }),
    ],
    'xstate.error.actor.loadPlans': rejections(problems.offline),
    'route.changed': [described('to all plans', { route: all }), described('to one plan', { route: one })],
    'xstate.done.actor.subscriptionStatus': [
      described('they have', { output: { subscribed: true, data: 'monthly' } }),
      described('they have not', { output: { subscribed: false, data: null } }),
    ],
    'xstate.error.actor.subscriptionStatus': rejections(problems.offline, problems.unauthorized),
  },
  ...part,
});

export const models: PathModel[] = [
  subscription({}),
  subscription({
    given: 'Signed in, open /subscription.',
    input: flowInput({ flow: 'subscription', path: '/subscription' }, { signedIn: true }),
  }),
  subscription({
    given: 'As a visitor, open /subscription?planid=monthly.',
    input: flowInput(one),
  }),
  subscription({
    given: 'Open /subscription of a store that has none (EnableSubscription off).',
    input: flowInput({ flow: 'subscription', path: '/subscription' }, { store: { ...store, enableSubscription: false } }),
  }),
];
