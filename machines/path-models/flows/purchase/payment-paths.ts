import type { SnapshotFrom } from 'xstate';
import type { Order } from '../../../buying/payment-setup.ts';
import { paymentMachine } from '../../../buying/payment.ts';
import type { Problem } from '../../../model/problem.ts';
import { describeCase } from '../../description.ts';
import { problems, createRejectionCase, toRejectionCases, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { credits, form, monthlyPlan, price } from './offers.ts';
import { paymentDescription } from './payment-descriptions.ts';

/** The order of one title, to be paid by card on the gateway's page. */
export const order: Order = {
  of: 'title',
  titleId: '1001',
  titleIds: null,
  planId: '',
  price,
  free: false,
  key: 'k1',
  transId: null,
  intentId: null,
  cardId: null,
  credits: null,
  method: null,
  tax: null,
  gift: null,
};
const subscriptionOrder: Order = { ...order, of: 'subscription', titleId: '', planId: monthlyPlan.id, price: monthlyPlan.price };

const titlePayment = { transId: 't1', titleId: '1001', intentId: 'in1', url: 'https://pay.example/1', reason: null };

const otherTabInstruction = 'In another tab open the same purchase, press “Continue to payment”';

const formatStatusOverride = (call: string, statusWord: string): string =>
  `Override \`${call}\` with its own answer, in which the \`status\` is \`${statusWord}\``;

/** The case of a call that gets no answer. */
const createLostCase = (call: string) =>
  createRejectionCase(problems.timeout, `Block \`${call}\`, and unblock it after this test`);

const cases: NonNullable<PathModel['cases']> = {
  'xstate.done.actor.startPayment': [
    describeCase('it has a page at the gateway', { output: { transId: 't1', provider: 'test', url: 'https://pay.example/1' } }),
    describeCase(
      'the title is free and granted at once',
      { output: { transId: 't1', provider: '', url: '' } },
      'Take the title 1011 instead: /title/purchase?titleid=1011',
    ),
  ],
  'xstate.error.actor.startPayment': [
    ...toRejectionCases(problems.timeout, problems.malformed, problems.unauthorized),
    createRejectionCase(problems.alreadyOwned, 'While the summary is shown, buy the title in another tab'),
    createRejectionCase(problems.priceChanged, preparations.priceChange),
    ...toRejectionCases(problems.declined),
  ],
  'xstate.done.actor.payByCard': [
    describeCase('it is paid', { output: { ...titlePayment, status: 'paid' } }),
    describeCase(
      'the bank requires an action of the customer',
      { output: { ...titlePayment, status: 'pending' } },
      'Save the card 4000 0027 6000 3184 instead, and pay by it',
    ),
    describeCase(
      'the card is authorised, nothing is charged yet',
      { output: { ...titlePayment, status: 'authorized' } },
      formatStatusOverride('purchase/title', 'authorized'),
    ),
  ],
  'xstate.error.actor.payByCard': [
    createLostCase('purchase/title'),
    ...toRejectionCases(problems.unauthorized, problems.alreadyOwned, problems.priceChanged),
    createRejectionCase(problems.declined, 'Save the card 4000 0000 0000 0341 instead, and pay by it'),
  ],
  'xstate.error.actor.confirmPayment': [
    createLostCase('purchase/title/confirm'),
    ...toRejectionCases(problems.priceChanged, problems.unauthorized, problems.declined, problems.alreadyOwned),
  ],
  'xstate.done.actor.statusBeforeCancel': [
    describeCase('it is not paid', { output: { ...titlePayment, status: 'pending' } }),
    describeCase(
      'it has been paid in another window',
      { output: { ...titlePayment, status: 'paid' } },
      `${otherTabInstruction}, and pay with 4242 4242 4242 4242`,
    ),
  ],
  'xstate.error.actor.statusBeforeCancel': toRejectionCases(problems.offline, problems.unauthorized),
  'xstate.done.actor.paymentStatus': [
    describeCase('it waits for the customer at the gateway', { output: { ...titlePayment, status: 'pending' } }),
    describeCase(
      'it waits, and its page at the gateway no longer exists',
      { output: { ...titlePayment, status: 'pending', url: null } },
      'Override `checkout/session/status` with its own answer, in which the `url` is `null`',
    ),
    describeCase(
      'the card is authorised, nothing is charged yet',
      { output: { ...titlePayment, status: 'authorized' } },
      formatStatusOverride('checkout/session/status', 'authorized'),
    ),
    describeCase(
      'it is paid',
      { output: { ...titlePayment, status: 'paid' } },
      `${otherTabInstruction}, and pay with 4242 4242 4242 4242`,
    ),
    describeCase(
      'the card was declined',
      { output: { ...titlePayment, status: 'failed', reason: 'card_declined' } },
      `${otherTabInstruction}, and type 4000 0000 0000 0002 five times`,
    ),
    describeCase(
      'it was cancelled at the gateway',
      { output: { ...titlePayment, status: 'cancelled' } },
      `${otherTabInstruction}, and press “Cancel” there`,
    ),
    describeCase(
      'there is no payment, but the title is owned',
      { output: { ...titlePayment, status: 'owned' } },
      'Buy the title in another tab',
    ),
    describeCase('there is no such payment', { output: { ...titlePayment, status: 'none' } }),
  ],
  'xstate.error.actor.paymentStatus': toRejectionCases(problems.offline, problems.unauthorized, problems.notFound),
};

/** The payment of a subscription as the server describes it; each case adds its `status`. */
const planPayment = { transId: 's1', titleId: '', intentId: 'pi_1', url: null, reason: null };
const subscribedProblem: Problem = { kind: 'refused', code: 'already_subscribed', message: '' };
const subscriptionCases: NonNullable<PathModel['cases']> = {
  ...cases,
  'xstate.done.actor.startPayment': [{ output: { transId: 's1', provider: '', url: 'https://pay.example/1' } }],
  'xstate.error.actor.startPayment': [
    ...toRejectionCases(problems.timeout, problems.malformed),
    createRejectionCase(subscribedProblem, 'While the summary is shown, subscribe in another tab by the payment page'),
  ],
  'xstate.done.actor.payByCard': [
    describeCase('the card is authorised, nothing is charged yet', { output: { ...planPayment, status: 'authorized' } }),
    describeCase(
      'the bank requires an action of the customer',
      { output: { ...planPayment, status: 'pending', url: 'https://pay.example/1' } },
      'Save the card 4000 0027 6000 3184 instead, and subscribe by it',
    ),
  ],
  'xstate.error.actor.payByCard': [
    createLostCase('subscription/purchase'),
    ...toRejectionCases(problems.unauthorized),
    createRejectionCase(subscribedProblem, 'While the summary is shown, subscribe in another tab by the payment page'),
    createRejectionCase(problems.declined, 'Save the card 4000 0000 0000 0341 instead, and subscribe by it'),
  ],
  'xstate.error.actor.confirmPayment': [
    createLostCase('subscription/confirm'),
    ...toRejectionCases(problems.unauthorized, problems.declined, subscribedProblem),
  ],
  'xstate.done.actor.paymentStatus': [
    describeCase('the gateway has authorised it', { output: { ...planPayment, status: 'authorized' } }),
    describeCase('the customer is subscribed', { output: { ...planPayment, status: 'paid' } }),
    describeCase('there is no subscription', { output: { ...planPayment, transId: '', intentId: null, status: 'none' } }),
  ],
};

const createModel = (overrides: Partial<PathModel>): PathModel => ({
  name: 'payment',
  machine: paymentMachine,
  description: paymentDescription,
  startInstruction: 'Signed in as a customer without cards, open /title/purchase?titleid=1008 and press “Continue to payment”.',
  input: order,
  // `cancels` is part of the kind: a cancelled payment continues differently.
  kind: ({ value, context }): unknown[] => {
    const { url, transId, intentId, cancels, paidFor, titleId } = context as SnapshotFrom<typeof paymentMachine>['context'];
    return [value, url, transId, intentId, cancels === true, paidFor, titleId];
  },
  cases,
  ...overrides,
});

const keptCardsText = 'with the saved cards 4242 4242 4242 4242 and 4000 0000 0000 0341 (“Add a card” in My Profile)';

/** Append new models: tests refer to them by index. */
export const paymentModels: PathModel[] = [
  createModel({}),
  createModel({
    startInstruction: `Signed in, ${keptCardsText}, open /title/purchase?titleid=1008 and press “Pay {amount}”.`,
    input: { ...order, cardId: 'c1' },
  }),
  createModel({
    startInstruction:
      'Signed in, resume an unfinished payment: open /title/purchase?titleid=1008, press “Continue to payment”, close the tab of the payment page, and open the purchase again.',
    input: { ...order, transId: 't1' },
    cases: {
      ...cases,
      'xstate.done.actor.paymentStatus': [
        ...(cases['xstate.done.actor.paymentStatus'] ?? []),
        describeCase(
          'it is authorised, and is for a gift',
          { output: { ...titlePayment, titleId: '1002', status: 'authorized', paidFor: 'gift' } },
          'Resume the unfinished payment of a gift instead: start it at /title/gift?titleid=1002, and open /checkout/complete?transId=…',
        ),
      ],
    },
  }),
  createModel({
    startInstruction:
      'Signed in as a customer without cards, open /subscription/purchase?planid=monthly and press “Continue to payment”.',
    input: subscriptionOrder,
    cases: subscriptionCases,
  }),
  createModel({
    startInstruction: `Signed in, ${keptCardsText}, open /subscription/purchase?planid=monthly, choose the second card, and press “Subscribe”.`,
    input: { ...subscriptionOrder, cardId: 'c2' },
    cases: subscriptionCases,
  }),
  createModel({
    startInstruction:
      'Signed in, open /subscription/purchase?planid=monthly, press “Continue to payment”, and type 4242 4242 4242 4242 at the payment page, which leads back to the shop.',
    input: { ...subscriptionOrder, transId: 's1', intentId: 'pi_1' },
    cases: subscriptionCases,
  }),
  createModel({
    startInstruction: `Signed in, with DEMO-CREDITS redeemed at /redeem, open /title/purchase?titleid=1001, choose the credits, and press “Get it for {inCredits}”.`,
    input: { ...order, credits: { amount: credits, currency: 'Credits' } },
  }),
  createModel({
    startInstruction: 'Signed in, open /title/gift?titleid=1011, address a gift to a recipient, and press “Send the gift”.',
    input: { ...order, of: 'gift', price: null, free: true, gift: { pii: { form } } },
  }),
];
