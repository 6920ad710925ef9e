import { redeemMachine } from '../../../buying/redeem.ts';
import type { Problem } from '../../../model/problem.ts';
import type { CodeOffer } from '../../../model/buying/redeem.ts';
import type { Plan } from '../../../model/buying/subscription.ts';
import { describeCase } from '../../description.ts';
import {
  createFlowInput,
  problems,
  toRejectionCases,
  createRoute,
  store,
  titleSummary,
  type PathModel,
} from '../../path-model.ts';
import { redeemDescription } from './descriptions.ts';

const plan: Plan = {
  id: 'monthly',
  name: 'Monthly',
  description: '',
  price: { amount: 9.99, currency: 'USD', symbol: '$' },
  interval: 'month',
  trialDays: 14,
  credits: 2,
};

const otherTitle = { ...titleSummary, id: '1002', name: 'Insufficient Postage' };

export const createCodeOffer = (overrides: Partial<CodeOffer>): CodeOffer => ({
  kind: 'title',
  titles: [],
  owned: [],
  plan: null,
  trialDays: null,
  credits: 0,
  percentOff: 0,
  redeemed: false,
  instanceId: null,
  ...overrides,
});

const titleOffer = createCodeOffer({ titles: [titleSummary] });
const choiceOffer = createCodeOffer({ kind: 'titles', titles: [titleSummary, otherTitle] });
const bundleOffer = createCodeOffer({ kind: 'bundle', titles: [titleSummary, otherTitle] });
const subscriptionOffer = createCodeOffer({ kind: 'subscription', plan });

const formatCodeInstruction = (code: string): string => `Take the code ${code}`;

const giftCodeInstruction =
  'Let another customer give a title to any e-mail address (“Give as a gift”), and take the code in the e-mail to that address';
/** `titleIds`: titles of the demo store that no other code of these models grants. */
const formatGiftCartInstruction = (titleIds: string): string =>
  `Let another customer put the titles ${titleIds} into the cart and give them as a gift at its checkout, to any e-mail address, and take the code in the e-mail to that address`;

const offerCases = [
  describeCase('a title', { output: titleOffer }, formatCodeInstruction('DEMO-TITLE')),
  describeCase('one of several titles', { output: choiceOffer }, formatCodeInstruction('DEMO-CHOICE')),
  describeCase(
    'a title, as a gift from another customer',
    { output: { ...titleOffer, pii: { giver: 'Ann Ferry', message: 'Enjoy it!' } } },
    giftCodeInstruction,
  ),
  describeCase(
    'two titles, as a gift from another customer',
    { output: { ...bundleOffer, pii: { giver: 'Ann Ferry', message: 'Enjoy them!' } } },
    formatGiftCartInstruction('1002 and 1004'),
  ),
  describeCase('a subscription without a card', { output: subscriptionOffer }, formatCodeInstruction('DEMO-MONTH')),
  describeCase('credits', { output: createCodeOffer({ kind: 'credits', credits: 3 }) }, formatCodeInstruction('DEMO-CREDITS')),
  describeCase(
    'trial days of a subscription, with a card',
    { output: createCodeOffer({ kind: 'subscription', plan, trialDays: 30 }) },
    formatCodeInstruction('DEMO-TRIAL'),
  ),
  describeCase(
    'a discount on one title',
    { output: createCodeOffer({ kind: 'discount', percentOff: 20, titles: [titleSummary] }) },
    'On the running shop, `npm run store -- codes make --store harbour --grants discount:20%:1008 --code TWENTY --out codes.csv`, and take the code TWENTY',
  ),
  describeCase(
    'a discount on any title',
    { output: createCodeOffer({ kind: 'discount', percentOff: 20 }) },
    formatCodeInstruction('DEMO-20-PERCENT'),
  ),
];

const ownedOfferCases = [
  describeCase(
    'one of several titles, of which the customer has one',
    { output: { ...choiceOffer, owned: ['1001'] } },
    `${formatCodeInstruction('DEMO-CHOICE')}, and buy one of its titles`,
  ),
  describeCase(
    'two titles, both of which the customer has',
    { output: { ...bundleOffer, owned: ['1001', '1002'] } },
    `${formatGiftCartInstruction('1002 and 1004')}; buy both as the customer of the test`,
  ),
  describeCase(
    'two titles, which this customer has redeemed',
    { output: { ...bundleOffer, owned: ['1001', '1002'], redeemed: true, instanceId: 'i1' } },
    `${formatGiftCartInstruction('1001 and 1003')}; redeem it in another tab, as the customer of the test`,
  ),
  describeCase(
    'a title that the customer has',
    { output: { ...titleOffer, owned: ['1001'] } },
    `${formatCodeInstruction('DEMO-TITLE')}, and buy its title`,
  ),
  describeCase(
    'a title, which this customer has redeemed',
    { output: { ...titleOffer, owned: ['1001'], redeemed: true, instanceId: 'i1' } },
    `${formatCodeInstruction('DEMO-TITLE')}, and redeem it once`,
  ),
  describeCase(
    'a subscription, which this customer has redeemed',
    { output: { ...subscriptionOffer, redeemed: true } },
    `${formatCodeInstruction('DEMO-MONTH')}, and redeem it once`,
  ),
];

const toRefusal = (code: string): Problem => ({ kind: 'refused', code, message: 'No' });

const codeRoute = { flow: 'redeem', path: '/redeem/…', params: { secret: '…' } } as const;

const createModel = (overrides: Partial<PathModel>): PathModel => ({
  name: 'redeem',
  machine: redeemMachine,
  description: redeemDescription,
  startInstruction: 'As a visitor, open /redeem/… with a code.',
  requestInput: { eventTypes: ['code.submitted', 'route.changed'], defaultInstruction: formatCodeInstruction('DEMO-TITLE') },
  input: createFlowInput(codeRoute),
  cases: {
    'code.submitted': [{ pii: { form: { code: 'DEMO-TITLE' } } }],
    'code.rejected': [{ fields: { code: 'required' } }],
    'route.changed': [{ route: createRoute(codeRoute) }],
    'title.chosen': [{ titleId: '1002' }],
    'xstate.done.actor.lookUp': offerCases,
    'xstate.error.actor.lookUp': [
      describeCase('there is no such code', { error: toRefusal('not_found') }, formatCodeInstruction('NO-SUCH-CODE')),
      describeCase('it has been used', { error: toRefusal('code_used') }, formatCodeInstruction('DEMO-USED')),
      describeCase('too many codes were tried', { error: toRefusal('too_many_requests') }),
      ...toRejectionCases(problems.offline),
    ],
    'xstate.done.actor.readSavedCode': [{ output: { pii: { form: { code: 'NO-SUCH-CODE' } } } }],
    'xstate.done.actor.redeem': [describeCase('a copy', { output: 'i1' })],
    'xstate.error.actor.redeem': [
      describeCase('another customer has redeemed it first (code_used)', { error: toRefusal('code_used') }),
      describeCase(
        'only a payment can use it',
        { error: toRefusal('code_at_payment') },
        'Let a proxy answer /api/redeem/benefit with 404',
      ),
      ...toRejectionCases(problems.offline),
    ],
  },
  ...overrides,
});

const { cases = {} } = createModel({});

const signInFirstCase = describeCase(
  'the server describes codes only after sign-in',
  { error: problems.unauthorized },
  'Let a proxy answer /api/redeem/apply with 401',
);

export const models: PathModel[] = [
  createModel({
    cases: { ...cases, 'xstate.error.actor.lookUp': [...(cases['xstate.error.actor.lookUp'] ?? []), signInFirstCase] },
  }),
  createModel({
    startInstruction: 'Signed in, open /redeem/… with a code.',
    input: createFlowInput(codeRoute, { signedIn: true }),
    cases: { ...cases, 'xstate.done.actor.lookUp': [...offerCases, ...ownedOfferCases] },
  }),
  createModel({ startInstruction: 'As a visitor, open /redeem.', input: createFlowInput({ flow: 'redeem', path: '/redeem' }) }),
  createModel({
    startInstruction: 'As a visitor, open /redeem/… with a code, press “Sign in and redeem”, and sign in.',
    input: createFlowInput(codeRoute, { signedIn: true, resume: 'redeem' }),
  }),
  createModel({
    startInstruction: 'Open /redeem of a store that takes no codes (EnableWebTitleRedeem and EnableWebSubscriptionRedeem off).',
    input: createFlowInput(
      { flow: 'redeem', path: '/redeem' },
      { store: { ...store, enableWebTitleRedeem: false, enableWebSubscriptionRedeem: false } },
    ),
  }),
  createModel({
    startInstruction: 'Open /redeem of a store that takes codes for titles alone (EnableWebSubscriptionRedeem off).',
    input: createFlowInput({ flow: 'redeem', path: '/redeem' }, { store: { ...store, enableWebSubscriptionRedeem: false } }),
  }),
  createModel({
    startInstruction: 'Open /redeem of a store that takes codes for subscriptions alone (EnableWebTitleRedeem off).',
    input: createFlowInput({ flow: 'redeem', path: '/redeem' }, { store: { ...store, enableWebTitleRedeem: false } }),
  }),
  createModel({
    startInstruction:
      'Open /redeem/… with a code in a store that takes no codes (EnableWebTitleRedeem and EnableWebSubscriptionRedeem off).',
    input: createFlowInput(codeRoute, {
      store: { ...store, enableWebTitleRedeem: false, enableWebSubscriptionRedeem: false },
    }),
  }),
];
