import { redeemMachine } from '../../../buying/redeem.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Offer } from '../../../model/buying/redeem.ts';
import type { Plan } from '../../../model/buying/subscription.ts';
import { described } from '../../description.ts';
import { flowInput, problems, rejections, route, store, summary, type PathModel } from '../../path-model.ts';
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

const other = { ...summary, id: '1002', name: 'Insufficient Postage' };

export const offer = (part: Partial<Offer>): Offer => ({
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

const ofTitle = offer({ titles: [summary] });
const ofChoice = offer({ kind: 'titles', titles: [summary, other] });
const ofBundle = offer({ kind: 'bundle', titles: [summary, other] });
const ofSubscription = offer({ kind: 'subscription', plan });

const codeOf = (code: string): string => `Take the code ${code}`;

const fromGift =
  'Let another customer give a title to any address (“Give as a gift”), and take the code in the letter to that address';
/** Titles of the demo store that no other code of these tests gives. */
const fromGivenCart = (titles: string): string =>
  `Let another customer put the titles ${titles} into the cart and give them away at its checkout, to any address, and take the code in the letter to that address`;

const offers = [
  described('a title', { output: ofTitle }, codeOf('DEMO-TITLE')),
  described('one of several titles', { output: ofChoice }, codeOf('DEMO-CHOICE')),
  described(
    'a title, as a gift from somebody',
    { output: { ...ofTitle, pii: { giver: 'Ann Ferry', message: 'Enjoy it!' } } },
    fromGift,
  ),
  described(
    'two titles, as a gift from somebody',
    { output: { ...ofBundle, pii: { giver: 'Ann Ferry', message: 'Enjoy them!' } } },
    fromGivenCart('1002 and 1004'),
  ),
  described('a subscription without a card', { output: ofSubscription }, codeOf('DEMO-MONTH')),
  described('credits', { output: offer({ kind: 'credits', credits: 3 }) }, codeOf('DEMO-CREDITS')),
  described(
    'days of a subscription for nothing, with a card',
    { output: offer({ kind: 'subscription', plan, trialDays: 30 }) },
    codeOf('DEMO-TRIAL'),
  ),
  described(
    'something off the price of a title',
    { output: offer({ kind: 'discount', percentOff: 20, titles: [summary] }) },
    'On the running shop, `npm run store -- codes make --store harbour --grants discount:20%:1008 --code TWENTY --out codes.csv`, and take the code TWENTY',
  ),
  described('something off any price', { output: offer({ kind: 'discount', percentOff: 20 }) }, codeOf('DEMO-20-PERCENT')),
];

const ownOffers = [
  described(
    'one of several titles, of which the customer has one',
    { output: { ...ofChoice, owned: ['1001'] } },
    `${codeOf('DEMO-CHOICE')}, and buy one of its titles`,
  ),
  described(
    'two titles, both of which the customer has',
    { output: { ...ofBundle, owned: ['1001', '1002'] } },
    `${fromGivenCart('1002 and 1004')}; buy both as the customer of the test`,
  ),
  described(
    'two titles, as the customer knows who has used it',
    { output: { ...ofBundle, owned: ['1001', '1002'], redeemed: true, instanceId: 'i1' } },
    `${fromGivenCart('1001 and 1003')}; redeem it in another tab, as the customer of the test`,
  ),
  described(
    'a title that the customer has',
    { output: { ...ofTitle, owned: ['1001'] } },
    `${codeOf('DEMO-TITLE')}, and buy its title`,
  ),
  described(
    'a title, as the customer knows who has used it',
    { output: { ...ofTitle, owned: ['1001'], redeemed: true, instanceId: 'i1' } },
    `${codeOf('DEMO-TITLE')}, and redeem it once`,
  ),
  described(
    'a subscription, as the customer knows who has used it',
    { output: { ...ofSubscription, redeemed: true } },
    `${codeOf('DEMO-MONTH')}, and redeem it once`,
  ),
];

const refused = (code: string): Problem => ({ kind: 'refused', code, message: 'No' });

const codeInAddress = { flow: 'redeem', path: '/redeem/…', params: { secret: '…' } } as const;

const redeem = (part: Partial<PathModel>): PathModel => ({
  name: 'redeem',
  machine: redeemMachine,
  description: redeemDescription,
  given: 'As a visitor, open /redeem/… with a code.',
  enters: { by: ['code.submitted', 'route.changed'], usual: codeOf('DEMO-TITLE') },
  input: flowInput(codeInAddress),
  cases: {
    'code.submitted': [{ pii: { form: { code: 'DEMO-TITLE' } } }],
    'code.rejected': [{ fields: { code: 'required' } }],
    'route.changed': [{ route: route(codeInAddress) }],
    'title.chosen': [{ titleId: '1002' }],
    'xstate.done.actor.lookUp': offers,
    'xstate.error.actor.lookUp': [
      described('there is no such code', { error: refused('not_found') }, codeOf('NO-SUCH-CODE')),
      described('it has been used', { error: refused('code_used') }, codeOf('DEMO-USED')),
      described('too many were tried', { error: refused('too_many_requests') }),
      ...rejections(problems.offline),
    ],
    'xstate.done.actor.recallCode': [{ output: { pii: { form: { code: 'NO-SUCH-CODE' } } } }],
    'xstate.done.actor.redeem': [described('a copy', { output: 'i1' })],
    'xstate.error.actor.redeem': [
      described('somebody else was faster (code_used)', { error: refused('code_used') }),
      described(
        'the payment alone uses it',
        { error: refused('code_at_payment') },
        'Let a proxy answer /api/redeem/benefit with 404',
      ),
      ...rejections(problems.offline),
    ],
  },
  ...part,
});

const { cases = {} } = redeem({});

const signInFirst = described(
  'the server tells of codes after sign-in alone',
  { error: problems.unauthorized },
  'Let a proxy answer /api/redeem/apply with 401',
);

export const models: PathModel[] = [
  redeem({ cases: { ...cases, 'xstate.error.actor.lookUp': [...(cases['xstate.error.actor.lookUp'] ?? []), signInFirst] } }),
  redeem({
    given: 'Signed in, open /redeem/… with a code.',
    input: flowInput(codeInAddress, { signedIn: true }),
    cases: { ...cases, 'xstate.done.actor.lookUp': [...offers, ...ownOffers] },
  }),
  redeem({ given: 'As a visitor, open /redeem.', input: flowInput({ flow: 'redeem', path: '/redeem' }) }),
  redeem({
    given: 'As a visitor, open /redeem/… with a code, press “Sign in and redeem”, and sign in.',
    input: flowInput(codeInAddress, { signedIn: true, resume: 'redeem' }),
  }),
  redeem({
    given: 'Open /redeem of a store that takes no codes (EnableWebTitleRedeem and EnableWebSubscriptionRedeem off).',
    input: flowInput(
      { flow: 'redeem', path: '/redeem' },
      { store: { ...store, enableWebTitleRedeem: false, enableWebSubscriptionRedeem: false } },
    ),
  }),
  redeem({
    given: 'Open /redeem of a store that takes codes for titles alone (EnableWebSubscriptionRedeem off).',
    input: flowInput({ flow: 'redeem', path: '/redeem' }, { store: { ...store, enableWebSubscriptionRedeem: false } }),
  }),
  redeem({
    given: 'Open /redeem of a store that takes codes for subscriptions alone (EnableWebTitleRedeem off).',
    input: flowInput({ flow: 'redeem', path: '/redeem' }, { store: { ...store, enableWebTitleRedeem: false } }),
  }),
  redeem({
    given:
      'Open /redeem/… with a code in a store that takes no codes (EnableWebTitleRedeem and EnableWebSubscriptionRedeem off).',
    input: flowInput(codeInAddress, {
      store: { ...store, enableWebTitleRedeem: false, enableWebSubscriptionRedeem: false },
    }),
  }),
];
