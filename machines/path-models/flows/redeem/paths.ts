import { redeemMachine } from '../../../buying/redeem.ts';
import type { Problem } from '../../../model/problem.ts';
import type { CodeOffer } from '../../../model/buying/redeem.ts';
import type { Plan } from '../../../model/buying/subscription.ts';
import { describeCase } from '../../description.ts';
import { createFlowInput, problems, toRejectionCases, createRoute, store, summary, type PathModel } from '../../path-model.ts';
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

const otherTitle = { ...summary, id: '1002', name: 'Insufficient Postage' };

export const createCodeOffer = (part: Partial<CodeOffer>): CodeOffer => ({
  kind: 'title',
  titles: [],
  owned: [],
  plan: null,
  trialDays: null,
  credits: 0,
  percentOff: 0,
  redeemed: false,
  instanceId: null,
  ...part,
});

const titleOffer = createCodeOffer({ titles: [summary] });
const choiceOffer = createCodeOffer({ kind: 'titles', titles: [summary, otherTitle] });
const bundleOffer = createCodeOffer({ kind: 'bundle', titles: [summary, otherTitle] });
const subscriptionOffer = createCodeOffer({ kind: 'subscription', plan });

const codeInstruction = (code: string): string => `Take the code ${code}`;

const giftCodeInstruction =
  'Let another customer give a title to any address (“Give as a gift”), and take the code in the letter to that address';
/** Titles of the demo store that no other code of these tests grants. */
const giftCartInstruction = (titles: string): string =>
  `Let another customer put the titles ${titles} into the cart and give them away at its checkout, to any address, and take the code in the letter to that address`;

const offerCases = [
  describeCase('a title', { output: titleOffer }, codeInstruction('DEMO-TITLE')),
  describeCase('one of several titles', { output: choiceOffer }, codeInstruction('DEMO-CHOICE')),
  describeCase(
    'a title, as a gift from somebody',
    { output: { ...titleOffer, pii: { giver: 'Ann Ferry', message: 'Enjoy it!' } } },
    giftCodeInstruction,
  ),
  describeCase(
    'two titles, as a gift from somebody',
    { output: { ...bundleOffer, pii: { giver: 'Ann Ferry', message: 'Enjoy them!' } } },
    giftCartInstruction('1002 and 1004'),
  ),
  describeCase('a subscription without a card', { output: subscriptionOffer }, codeInstruction('DEMO-MONTH')),
  describeCase('credits', { output: createCodeOffer({ kind: 'credits', credits: 3 }) }, codeInstruction('DEMO-CREDITS')),
  describeCase(
    'days of a subscription for nothing, with a card',
    { output: createCodeOffer({ kind: 'subscription', plan, trialDays: 30 }) },
    codeInstruction('DEMO-TRIAL'),
  ),
  describeCase(
    'something off the price of a title',
    { output: createCodeOffer({ kind: 'discount', percentOff: 20, titles: [summary] }) },
    'On the running shop, `npm run store -- codes make --store harbour --grants discount:20%:1008 --code TWENTY --out codes.csv`, and take the code TWENTY',
  ),
  describeCase(
    'something off any price',
    { output: createCodeOffer({ kind: 'discount', percentOff: 20 }) },
    codeInstruction('DEMO-20-PERCENT'),
  ),
];

const ownedOfferCases = [
  describeCase(
    'one of several titles, of which the customer has one',
    { output: { ...choiceOffer, owned: ['1001'] } },
    `${codeInstruction('DEMO-CHOICE')}, and buy one of its titles`,
  ),
  describeCase(
    'two titles, both of which the customer has',
    { output: { ...bundleOffer, owned: ['1001', '1002'] } },
    `${giftCartInstruction('1002 and 1004')}; buy both as the customer of the test`,
  ),
  describeCase(
    'two titles, as the customer knows who has used it',
    { output: { ...bundleOffer, owned: ['1001', '1002'], redeemed: true, instanceId: 'i1' } },
    `${giftCartInstruction('1001 and 1003')}; redeem it in another tab, as the customer of the test`,
  ),
  describeCase(
    'a title that the customer has',
    { output: { ...titleOffer, owned: ['1001'] } },
    `${codeInstruction('DEMO-TITLE')}, and buy its title`,
  ),
  describeCase(
    'a title, as the customer knows who has used it',
    { output: { ...titleOffer, owned: ['1001'], redeemed: true, instanceId: 'i1' } },
    `${codeInstruction('DEMO-TITLE')}, and redeem it once`,
  ),
  describeCase(
    'a subscription, as the customer knows who has used it',
    { output: { ...subscriptionOffer, redeemed: true } },
    `${codeInstruction('DEMO-MONTH')}, and redeem it once`,
  ),
];

const toRefusal = (code: string): Problem => ({ kind: 'refused', code, message: 'No' });

const codeInAddress = { flow: 'redeem', path: '/redeem/…', params: { secret: '…' } } as const;

const createModel = (part: Partial<PathModel>): PathModel => ({
  name: 'redeem',
  machine: redeemMachine,
  description: redeemDescription,
  given: 'As a visitor, open /redeem/… with a code.',
  enters: { by: ['code.submitted', 'route.changed'], usual: codeInstruction('DEMO-TITLE') },
  input: createFlowInput(codeInAddress),
  cases: {
    'code.submitted': [{ pii: { form: { code: 'DEMO-TITLE' } } }],
    'code.rejected': [{ fields: { code: 'required' } }],
    'route.changed': [{ route: createRoute(codeInAddress) }],
    'title.chosen': [{ titleId: '1002' }],
    'xstate.done.actor.lookUp': offerCases,
    'xstate.error.actor.lookUp': [
      describeCase('there is no such code', { error: toRefusal('not_found') }, codeInstruction('NO-SUCH-CODE')),
      describeCase('it has been used', { error: toRefusal('code_used') }, codeInstruction('DEMO-USED')),
      describeCase('too many were tried', { error: toRefusal('too_many_requests') }),
      ...toRejectionCases(problems.offline),
    ],
    'xstate.done.actor.recallCode': [{ output: { pii: { form: { code: 'NO-SUCH-CODE' } } } }],
    'xstate.done.actor.redeem': [describeCase('a copy', { output: 'i1' })],
    'xstate.error.actor.redeem': [
      describeCase('somebody else was faster (code_used)', { error: toRefusal('code_used') }),
      describeCase(
        'the payment alone uses it',
        { error: toRefusal('code_at_payment') },
        'Let a proxy answer /api/redeem/benefit with 404',
      ),
      ...toRejectionCases(problems.offline),
    ],
  },
  ...part,
});

const { cases = {} } = createModel({});

const signInFirstCase = describeCase(
  'the server tells of codes after sign-in alone',
  { error: problems.unauthorized },
  'Let a proxy answer /api/redeem/apply with 401',
);

export const models: PathModel[] = [
  createModel({
    cases: { ...cases, 'xstate.error.actor.lookUp': [...(cases['xstate.error.actor.lookUp'] ?? []), signInFirstCase] },
  }),
  createModel({
    given: 'Signed in, open /redeem/… with a code.',
    input: createFlowInput(codeInAddress, { signedIn: true }),
    cases: { ...cases, 'xstate.done.actor.lookUp': [...offerCases, ...ownedOfferCases] },
  }),
  createModel({ given: 'As a visitor, open /redeem.', input: createFlowInput({ flow: 'redeem', path: '/redeem' }) }),
  createModel({
    given: 'As a visitor, open /redeem/… with a code, press “Sign in and redeem”, and sign in.',
    input: createFlowInput(codeInAddress, { signedIn: true, resume: 'redeem' }),
  }),
  createModel({
    given: 'Open /redeem of a store that takes no codes (EnableWebTitleRedeem and EnableWebSubscriptionRedeem off).',
    input: createFlowInput(
      { flow: 'redeem', path: '/redeem' },
      { store: { ...store, enableWebTitleRedeem: false, enableWebSubscriptionRedeem: false } },
    ),
  }),
  createModel({
    given: 'Open /redeem of a store that takes codes for titles alone (EnableWebSubscriptionRedeem off).',
    input: createFlowInput({ flow: 'redeem', path: '/redeem' }, { store: { ...store, enableWebSubscriptionRedeem: false } }),
  }),
  createModel({
    given: 'Open /redeem of a store that takes codes for subscriptions alone (EnableWebTitleRedeem off).',
    input: createFlowInput({ flow: 'redeem', path: '/redeem' }, { store: { ...store, enableWebTitleRedeem: false } }),
  }),
  createModel({
    given:
      'Open /redeem/… with a code in a store that takes no codes (EnableWebTitleRedeem and EnableWebSubscriptionRedeem off).',
    input: createFlowInput(codeInAddress, {
      store: { ...store, enableWebTitleRedeem: false, enableWebSubscriptionRedeem: false },
    }),
  }),
];
