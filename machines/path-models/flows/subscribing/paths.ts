import { subscribingMachine } from '../../../buying/subscribing.ts';
import type { Card } from '../../../model/card.ts';
import type { Problem } from '../../../model/problem.ts';
import type { HeldSubscription, Plan } from '../../../model/subscription.ts';
import { described } from '../../description.ts';
import { flowInput, problems, rejections, store, type PathModel } from '../../path-model.ts';
import { subscribingDescription } from './descriptions.ts';

const plan: Plan = {
  id: 'monthly',
  name: 'Monthly',
  description: 'All titles',
  price: { amount: 4.99, currency: 'USD', symbol: '$' },
  interval: 'month',
  trialDays: 14,
  credits: 2,
};

const held: HeldSubscription = {
  planId: 'monthly',
  name: 'Monthly',
  status: 'active',
  price: plan.price,
  interval: 'month',
  credits: 2,
  until: '2026-02-01T00:00:00Z',
};

const visa: Card = { id: 'c1', isDefault: true, isExpired: false, pii: { brand: 'Visa', last4: '4242', expiry: '12/34' } };

const subscribeMeanwhile = 'Subscribe in another tab meanwhile, by the payment page';

const refused = (code: string): Problem => ({ kind: 'refused', code, message: 'Not now' });

const page = 'subscription/purchase';
const at = (params: Record<string, string>) => {
  const query = new URLSearchParams(Object.entries(params).filter(([name]) => name !== 'page')).toString();
  const path = `/${params['page']}${query === '' ? '' : `?${query}`}`;
  return { flow: 'subscribing', path, params, access: 'login' } as const;
};

const subscribing = (part: Partial<PathModel>): PathModel => ({
  name: 'subscribing',
  machine: subscribingMachine,
  description: subscribingDescription,
  given: 'Signed in, open /subscription/purchase?planid=monthly.',
  input: flowInput(at({ page, planid: 'monthly' }), { signedIn: true }),
  cases: {
    'xstate.done.actor.loadPlan': [
      described('one that is offered', { output: [plan] }),
      described(
        'none',
        { output: [] },
        'Take a plan that is not there, /subscription/purchase?planid=nothing, or, after another answer, override `plans/*` with `<Error><StatusCode>404</StatusCode><Code>not_found</Code></Error>`',
      ),
    ],
    'xstate.done.actor.loadCards': [
      described('some', { output: [visa] }, 'Have the card 4242 4242 4242 4242 kept (“Add a card” in My Profile)'),
      described('none', { output: [] }),
    ],
    'card.pressed': [{ cardId: 'c1' }],
    'xstate.done.actor.startByCard': [
      described('the card is good', { output: { subscriptionId: 's1', intentId: 'pi_1', url: null } }),
      described(
        'its bank asks',
        { output: { subscriptionId: 's1', intentId: 'pi_1', url: 'https://gateway.example/pay/1' } },
        'Keep 4000 0027 6000 3184, and press the button that names it',
      ),
    ],
    'xstate.error.actor.startByCard': [
      ...rejections(problems.offline, problems.declined),
      described('the customer has subscribed already', { error: refused('already_subscribed') }, subscribeMeanwhile),
    ],
    'xstate.done.actor.startSubscribing': [{ output: { url: 'https://gateway.example/pay/1' } }],
    'xstate.error.actor.startSubscribing': [
      ...rejections(problems.offline, refused('payment_unavailable')),
      described('the customer has subscribed already', { error: refused('already_subscribed') }, subscribeMeanwhile),
    ],
    'xstate.done.actor.confirmSubscription': [{ output: { status: 'active' } }],
    'xstate.error.actor.confirmSubscription': [
      ...rejections(problems.offline, problems.declined),
      described('the customer has subscribed already', { error: refused('already_subscribed') }),
    ],
    'xstate.done.actor.loadSubscription': [
      described('one', { output: held }),
      described('none', { output: null }, 'Take a customer who has not subscribed'),
    ],
    'xstate.error.actor.loadSubscription': rejections(problems.offline),
  },
  ...part,
});

export const models: PathModel[] = [
  subscribing({}),
  subscribing({
    given:
      'Signed in, open /subscription/purchase?planid=monthly, press “Continue to payment”, and type 4242 4242 4242 4242 at the payment page, which leads back.',
    input: flowInput(at({ page, planid: 'monthly', subscriptionid: 's1', intentId: 'pi_1' }), { signedIn: true }),
  }),
  subscribing({
    given: 'As somebody who has subscribed, open /subscription/purchase/success.',
    input: flowInput(at({ page: `${page}/success` }), { signedIn: true }),
  }),
  subscribing({
    given: 'Signed in, open /subscription/purchase without a plan.',
    input: flowInput(at({ page }), { signedIn: true }),
  }),
  subscribing({
    given: 'Signed in, open /subscription/purchase?planid=monthly of a store that has no subscriptions (EnableSubscription off).',
    input: flowInput(at({ page, planid: 'monthly' }), { signedIn: true, store: { ...store, enableSubscription: false } }),
  }),
];
