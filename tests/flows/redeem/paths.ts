import { redeemMachine } from '../../../machines/buying/redeem.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import type { Offer } from '../../../machines/model/redeem.ts';
import type { Plan } from '../../../machines/model/subscription.ts';
import { described } from '../../support/description.ts';
import { flowInput, problems, rejections, route, store, summary, type PathModel } from '../../support/path-model.ts';
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

const offers = [
  described('a title (DEMO-TITLE)', { output: ofTitle }),
  described('one of several titles (DEMO-CHOICE)', { output: ofChoice }),
  described('a title, as a gift from somebody (the code in the letter of a gift)', {
    output: { ...ofTitle, pii: { giver: 'Ann Ferry', message: 'Enjoy it!' } },
  }),
  described('two titles, as a gift from somebody (the code in the letter of a given cart)', {
    output: { ...ofBundle, pii: { giver: 'Ann Ferry', message: 'Enjoy them!' } },
  }),
  described('a subscription without a card (DEMO-MONTH)', { output: ofSubscription }),
  described('credits (DEMO-CREDITS)', { output: offer({ kind: 'credits', credits: 3 }) }),
  described('days of a subscription for nothing, with a card (DEMO-TRIAL)', {
    output: offer({ kind: 'subscription', plan, trialDays: 30 }),
  }),
  described('something off the price of a title', { output: offer({ kind: 'discount', percentOff: 20, titles: [summary] }) }),
  described('something off any price (DEMO-20-PERCENT)', { output: offer({ kind: 'discount', percentOff: 20 }) }),
];

const ownOffers = [
  described('one of several titles, of which the customer has one (DEMO-CHOICE, after one of them was bought)', {
    output: { ...ofChoice, owned: ['1001'] },
  }),
  described('two titles, both of which the customer has (after they were bought)', {
    output: { ...ofBundle, owned: ['1001', '1002'] },
  }),
  described('two titles, as the customer knows who has used it (the letter of a given cart, used before)', {
    output: { ...ofBundle, owned: ['1001', '1002'], redeemed: true, instanceId: 'i1' },
  }),
  described('a title that the customer has (after it was bought)', { output: { ...ofTitle, owned: ['1001'] } }),
  described('a title, as the customer knows who has used it (DEMO-TITLE, used before)', {
    output: { ...ofTitle, owned: ['1001'], redeemed: true, instanceId: 'i1' },
  }),
  described('a subscription, as the customer knows who has used it (DEMO-MONTH, used before)', {
    output: { ...ofSubscription, redeemed: true },
  }),
];

const refused = (code: string): Problem => ({ kind: 'refused', code, message: 'No' });

const codeInAddress = { flow: 'redeem', path: '/redeem/…', params: { secret: '…' } } as const;

const redeem = (part: Partial<PathModel>): PathModel => ({
  name: 'redeem',
  machine: redeemMachine,
  description: redeemDescription,
  given: 'As a visitor, open /redeem/… with a code.',
  input: flowInput(codeInAddress),
  cases: {
    'code.submitted': [{ pii: { form: { code: 'DEMO-TITLE' } } }],
    'code.rejected': [{ fields: { code: 'required' } }],
    'route.changed': [{ route: route(codeInAddress) }],
    'title.chosen': [{ titleId: '1002' }],
    'xstate.done.actor.lookUp': offers,
    'xstate.error.actor.lookUp': [
      described('there is no such code (any other word)', { error: refused('not_found') }),
      described('it has been used (DEMO-USED)', { error: refused('code_used') }),
      described('too many were tried', { error: refused('too_many_requests') }),
      ...rejections(problems.offline),
    ],
    'xstate.done.actor.redeem': [described('a copy', { output: 'i1' })],
    'xstate.error.actor.redeem': [
      described('somebody else was faster, code_used', { error: refused('code_used') }),
      ...rejections(problems.offline),
    ],
  },
  ...part,
});

const { cases = {} } = redeem({});

export const models: PathModel[] = [
  redeem({}),
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
    given:
      'Open /redeem/… with a code in a store that takes no codes (EnableWebTitleRedeem and EnableWebSubscriptionRedeem off).',
    input: flowInput(codeInAddress, {
      store: { ...store, enableWebTitleRedeem: false, enableWebSubscriptionRedeem: false },
    }),
  }),
];
