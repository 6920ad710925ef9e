import { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import { flowInput, problems, rejections, store, type PathModel } from '../../support/path-model.ts';
import { subscriptionDescription } from './descriptions.ts';
import { described } from '../../support/description.ts';

const subscription = (part: Partial<PathModel>): PathModel => ({
  name: 'subscription',
  machine: subscriptionMachine,
  description: subscriptionDescription,
  given: 'As a visitor, open /subscription.',
  input: flowInput({ flow: 'subscription', path: '/subscription' }),
  cases: {
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
    given: 'Open /subscription of a store that has none (EnableSubscription off).',
    input: flowInput({ flow: 'subscription', path: '/subscription' }, { store: { ...store, enableSubscription: false } }),
  }),
];
