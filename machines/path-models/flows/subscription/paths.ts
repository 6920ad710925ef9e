import { subscriptionMachine } from '../../../buying/subscription.ts';
import type { HeldSubscription, Plan, PlanQuote } from '../../../model/buying/subscription.ts';
import { createFlowInput, problems, toRejectionCases, createRoute, store, type PathModel } from '../../path-model.ts';
import { formatOperatorInstruction, preparations } from '../../preparations.ts';
import { subscriptionDescription } from './descriptions.ts';
import { describeCase } from '../../description.ts';

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

const heldSubscription: HeldSubscription = {
  planId: 'monthly',
  name: 'Monthly',
  status: 'active',
  price: monthly.price,
  interval: 'month',
  credits: 2,
  until: '2026-12-01T00:00:00Z',
  changeable: true,
  next: null,
};
const nextPlan = { planId: 'yearly', name: 'Yearly', price: yearly.price, interval: 'year', changing: false } as const;
const quote: PlanQuote = {
  planId: 'yearly',
  starts: 'now',
  due: { amount: 2.5, currency: 'USD', symbol: '$' },
  at: '2026-11-24T12:00:00Z',
  quotedAt: '2026-11-24T12:00:00Z',
};

const overrideInstruction = 'Override `user/subscription` with the answer of the step';

const formatGoToInstruction = (path: string): string =>
  `In the console, \`history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))\``;

const plansRoute = createRoute({ flow: 'subscription', path: '/subscription' });
const planRoute = createRoute({ flow: 'subscription', path: '/subscription?planid=monthly', query: { planid: 'monthly' } });

const createModel = (overrides: Partial<PathModel>): PathModel => ({
  name: 'subscription',
  machine: subscriptionMachine,
  description: subscriptionDescription,
  startInstruction: 'As a visitor, open /subscription.',
  input: createFlowInput({ flow: 'subscription', path: '/subscription' }),
  cases: {
    'xstate.done.actor.loadPlans': [
      describeCase('some', { output: [monthly, yearly] }),
      describeCase('one', { output: [monthly] }),
      describeCase('none', { output: [] }, 'Take a plan that does not exist: planid=nothing in the URL'),
    ],
    'xstate.error.actor.loadPlans': toRejectionCases(problems.offline),
    'route.changed': [
      describeCase('to all plans', { route: plansRoute }, formatGoToInstruction('/subscription')),
      describeCase('to one plan', { route: planRoute }, formatGoToInstruction('/subscription?planid=monthly')),
    ],
    'xstate.done.actor.loadSubscription': [
      describeCase(
        'one that can be changed',
        { output: heldSubscription },
        `Subscribe to a plan without a trial: ${formatOperatorInstruction('plans add --id weekly --name Weekly --price 1.99USD --period week')}`,
      ),
      describeCase(
        'one with a scheduled change to another plan',
        { output: { ...heldSubscription, next: nextPlan } },
        'Subscribe to Harbour Yearly, and change to Harbour Monthly',
      ),
      describeCase(
        'one whose change of plan is in progress',
        { output: { ...heldSubscription, next: { ...nextPlan, changing: true } } },
        overrideInstruction,
      ),
      describeCase(
        'one whose last payment has failed',
        { output: { ...heldSubscription, status: 'pastDue', changeable: false } },
        overrideInstruction,
      ),
      describeCase(
        'one that has ended',
        { output: { ...heldSubscription, status: 'ended', changeable: false } },
        preparations.endedSubscription,
      ),
      describeCase('none', { output: null }),
    ],
    'xstate.error.actor.loadSubscription': toRejectionCases(problems.offline, problems.unauthorized),
    'change.pressed': [
      describeCase('another plan', { planId: 'yearly' }),
      describeCase('the customer’s own plan', { planId: 'monthly' }),
    ],
    'xstate.done.actor.quotePlan': [
      describeCase('it starts at once, with a payment', { output: quote }),
      describeCase(
        'it starts with the next renewal',
        { output: { ...quote, starts: 'renewal', due: { ...quote.due, amount: 0 }, at: heldSubscription.until } },
        'Be in the trial: subscribe to Harbour Monthly',
      ),
    ],
    'xstate.error.actor.quotePlan': toRejectionCases(problems.offline),
    'xstate.done.actor.changePlan': [{ output: { url: 'https://shop.example/subscription/purchase/success' } }],
    'xstate.error.actor.changePlan': toRejectionCases(problems.offline, problems.declined),
  },
  ...overrides,
});

export const models: PathModel[] = [
  createModel({}),
  createModel({
    startInstruction: 'Signed in, open /subscription.',
    input: createFlowInput({ flow: 'subscription', path: '/subscription' }, { signedIn: true }),
  }),
  createModel({
    startInstruction: 'As a visitor, open /subscription?planid=monthly.',
    input: createFlowInput(planRoute),
  }),
  createModel({
    startInstruction: 'Open /subscription of a store that offers no subscriptions (EnableSubscription off).',
    input: createFlowInput({ flow: 'subscription', path: '/subscription' }, { store: { ...store, enableSubscription: false } }),
  }),
];
