import { subscriptionMachine } from '../../../buying/subscription.ts';
import type { HeldSubscription, Plan, PlanQuote } from '../../../model/buying/subscription.ts';
import { flowInput, problems, rejections, route, store, type PathModel } from '../../path-model.ts';
import { operator, preparations } from '../../preparations.ts';
import { subscriptionDescription } from './descriptions.ts';
import { described } from '../../description.ts';

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

const held: HeldSubscription = {
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
const next = { planId: 'yearly', name: 'Yearly', price: yearly.price, interval: 'year', changing: false } as const;
const quote: PlanQuote = {
  planId: 'yearly',
  starts: 'now',
  due: { amount: 2.5, currency: 'USD', symbol: '$' },
  at: '2026-11-24T12:00:00Z',
  quotedAt: '2026-11-24T12:00:00Z',
};

const overridden = 'Override `user/subscription` with the answer of the step';

const goTo = (path: string): string =>
  `In the console, \`history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))\``;

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
      described('none', { output: [] }, 'Take a plan that is not there: planid=nothing in the address'),
    ],
    'xstate.error.actor.loadPlans': rejections(problems.offline),
    'route.changed': [
      described('to all plans', { route: all }, goTo('/subscription')),
      described('to one plan', { route: one }, goTo('/subscription?planid=monthly')),
    ],
    'xstate.done.actor.loadSubscription': [
      described(
        'one that can be changed',
        { output: held },
        `Subscribe to a plan that is paid from its first day: ${operator('plans add --id weekly --name Weekly --price 1.99USD --period week')}`,
      ),
      described(
        'one that another one follows',
        { output: { ...held, next } },
        'Subscribe to Harbour Yearly, and change to Harbour Monthly',
      ),
      described('one whose change is under way', { output: { ...held, next: { ...next, changing: true } } }, overridden),
      described('one whose last payment has failed', { output: { ...held, status: 'pastDue', changeable: false } }, overridden),
      described('one that has ended', { output: { ...held, status: 'ended', changeable: false } }, preparations.ended),
      described('none', { output: null }),
    ],
    'xstate.error.actor.loadSubscription': rejections(problems.offline, problems.unauthorized),
    'change.pressed': [described('at another plan', { planId: 'yearly' }), described('at the own one', { planId: 'monthly' })],
    'xstate.done.actor.quotePlan': [
      described('at once, for money', { output: quote }),
      described(
        'with the next renewal',
        { output: { ...quote, starts: 'renewal', due: { ...quote.due, amount: 0 }, at: held.until } },
        'Be in the days that cost nothing: subscribe to Harbour Monthly',
      ),
    ],
    'xstate.error.actor.quotePlan': rejections(problems.offline),
    'xstate.done.actor.changePlan': [{ output: { url: 'https://shop.example/subscription/purchase/success' } }],
    'xstate.error.actor.changePlan': rejections(problems.offline, problems.declined),
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
