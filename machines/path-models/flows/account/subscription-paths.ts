import { creditsMachine } from '../../../account/credits.ts';
import { ownSubscriptionMachine } from '../../../account/own-subscription.ts';
import type { HeldSubscription } from '../../../model/buying/subscription.ts';
import { describeCase } from '../../description.ts';
import { problems, toRejectionCases, type PathModel } from '../../path-model.ts';
import { formatOperatorInstruction, preparations } from '../../preparations.ts';
import { creditsDescription, ownSubscriptionDescription } from './descriptions.ts';

const monthly: HeldSubscription = {
  planId: 'monthly',
  name: 'Monthly',
  status: 'active',
  price: { amount: 4.99, currency: 'USD', symbol: '$' },
  interval: 'month',
  credits: 2,
  until: '2026-02-01T00:00:00Z',
};

const overrideInstruction = 'Override `user/subscription` with the answer of the step';
const subscribedInstruction =
  'Subscribe to Harbour Monthly before; if this test has cancelled it, override `user/subscription` with the answer of the step';
const noCreditsInstruction = `${formatOperatorInstruction('properties set --set EnableBuyWithCredits=false')}; after the test set \`=true\` again`;

const createModel = (overrides: Partial<PathModel>): PathModel => ({
  name: 'ownSubscription',
  machine: ownSubscriptionMachine,
  description: ownSubscriptionDescription,
  startInstruction: 'Signed in, open /account of a store that offers subscriptions.',
  input: { sells: true },
  cases: {
    'xstate.done.actor.loadSubscription': [
      describeCase('one that renews', { output: monthly }, subscribedInstruction),
      describeCase('one whose last payment has failed', { output: { ...monthly, status: 'pastDue' } }, overrideInstruction),
      describeCase(
        'a cancelled one that can be reactivated',
        { output: { ...monthly, status: 'cancelled', resumable: true } },
        'Subscribe to Harbour Monthly, and cancel it here',
      ),
      describeCase(
        'a cancelled one that cannot be reactivated',
        { output: { ...monthly, status: 'cancelled', resumable: false } },
        overrideInstruction,
      ),
      describeCase('one that has ended', { output: { ...monthly, status: 'ended' } }, preparations.endedSubscription),
      describeCase(
        'none',
        { output: null },
        'Take a customer who has never subscribed; in the middle of a test override `user/subscription` with the answer of the step',
      ),
    ],
    'xstate.error.actor.loadSubscription': toRejectionCases(problems.offline),
    'xstate.done.actor.cancelSubscription': [{ output: {} }],
    'xstate.error.actor.cancelSubscription': toRejectionCases(problems.offline),
    'xstate.done.actor.resumeSubscription': [{ output: {} }],
    'xstate.error.actor.resumeSubscription': toRejectionCases(problems.offline),
    'xstate.done.actor.openPortal': [{ output: { url: 'https://pay.example/setup/seti_1' } }],
    'xstate.error.actor.openPortal': toRejectionCases(problems.offline),
  },
  ...overrides,
});

/** The customer’s subscription and credits. */
export const subscriptionModels: PathModel[] = [
  createModel({}),
  createModel({
    startInstruction: 'Signed in, open /account of a store that has no subscriptions (EnableSubscription off).',
    input: { sells: false },
  }),
  {
    name: 'credits',
    machine: creditsMachine,
    description: creditsDescription,
    startInstruction: 'Signed in, open /account.',
    cases: {
      'xstate.done.actor.loadCredits': [
        describeCase(
          'some, in a store that takes them',
          { output: { balance: 3, currency: 'Credits', accepted: true } },
          preparations.credits,
        ),
        describeCase(
          'none, in a store that takes them',
          { output: { balance: 0, currency: 'Credits', accepted: true } },
          'Take a customer who has redeemed no credits',
        ),
        describeCase(
          'some, in a store that does not take them',
          { output: { balance: 1, currency: '', accepted: false } },
          `${preparations.credits}, and ${noCreditsInstruction}`,
        ),
        describeCase(
          'none, in a store that does not take them',
          { output: { balance: 0, currency: '', accepted: false } },
          `Take a customer who has redeemed no credits, and ${noCreditsInstruction}`,
        ),
      ],
      'xstate.error.actor.loadCredits': toRejectionCases(problems.offline),
    },
  },
];
