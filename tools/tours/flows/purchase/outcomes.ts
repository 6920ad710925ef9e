import type { AnyEventObject } from 'xstate';
import type { Context } from '../../../../machines/buying/purchase/context.ts';
import { isGift } from '../../../../machines/buying/purchase/offer.ts';
import type { PaymentOutcome, PaymentOutput, PurchaseState } from '../../../../machines/buying/payment-setup.ts';
import type { Problem } from '../../../../machines/model/problem.ts';
import { problems } from '../../../../machines/path-models/path-model.ts';
import { CheckoutPage } from '../../../browser/checkout-page.ts';
import { ShopPage } from '../../../browser/shop.ts';
import { returnToPage, stubGateway } from '../../causes.ts';
import type { WalkContext } from '../../browser-adapter.ts';

type PaymentContext = Pick<Context, 'of' | 'transId' | 'cardId'>;

/** Settles the port's held request once, and holds later requests. */
const settlePort = async (walk: WalkContext, port: string, settlement: Omit<AnyEventObject, 'type'>): Promise<void> => {
  await walk.settle({ type: `xstate.${'error' in settlement ? 'error' : 'done'}.actor.${port}`, ...settlement });
  walk.hold(port);
};

const settleStatus = (walk: WalkContext, status: PurchaseState['status']): Promise<void> =>
  settlePort(walk, 'paymentStatus', {
    output: { transId: 't1', titleId: '1001', intentId: 'in1', url: 'https://pay.example/1', reason: null, status },
  });

const alreadySubscribed: Problem = { kind: 'refused', code: 'already_subscribed', message: '' };

/** Refuses the start of a payment; for a plan with a saved card, start and payment are one call. */
const rejectPayment = (walk: WalkContext, { of, cardId }: PaymentContext, error: Problem): Promise<void> =>
  settlePort(walk, of === 'subscription' && cardId !== null ? 'payByCard' : 'startPayment', { error });

/** Makes the outcome unknown at first; then the server knows no payment. */
const losePayment = async (walk: WalkContext, payment: PaymentContext): Promise<void> => {
  await rejectPayment(walk, payment, problems.malformed);
  await new ShopPage(walk.page).control('status.pressed').click();
  // For a title the app requests the library, and the server responds; a cart needs no request.
  if (isGift(payment) || payment.of === 'subscription') await settleStatus(walk, 'none');
};

type OutcomeCauses = Partial<
  Record<PaymentOutcome, (walk: WalkContext, payment: PaymentContext, problem: Problem | null) => Promise<void>>
>;

/** Causes of each outcome of a new payment, without the gateway. */
const newPaymentCauses: OutcomeCauses = {
  failed: (walk, payment, problem) => rejectPayment(walk, payment, problem ?? problems.declined),
  priceChanged: (walk, payment) => rejectPayment(walk, payment, problems.priceChanged),
  owned: (walk, payment) =>
    rejectPayment(walk, payment, payment.of === 'subscription' ? alreadySubscribed : problems.alreadyOwned),
  none: losePayment,
};

/** Causes of each outcome of a resumed payment. */
const resumedPaymentCauses: OutcomeCauses = {
  succeeded: (walk) => settleStatus(walk, 'paid'),
  failed: (walk) => settleStatus(walk, 'failed'),
  cancelled: (walk) => settleStatus(walk, 'cancelled'),
  notFound: (walk) => settlePort(walk, 'paymentStatus', { error: problems.notFound }),
};

/** Causes of each outcome of a subscription after the gateway's redirect, confirmed at once. */
const authorizedPaymentCauses: OutcomeCauses = {
  succeeded: (walk) => settlePort(walk, 'confirmPayment', { output: null }),
  failed: (walk) => settlePort(walk, 'confirmPayment', { error: problems.declined }),
  owned: (walk) => settlePort(walk, 'confirmPayment', { error: alreadySubscribed }),
};

const getCauses = ({ of, transId }: Pick<PaymentContext, 'of' | 'transId'>): OutcomeCauses => {
  if (transId === null) return newPaymentCauses;
  return of === 'subscription' ? authorizedPaymentCauses : resumedPaymentCauses;
};

/** Returns the outcomes that a walk can cause. A gift is never owned by its giver. */
export const getPossibleOutcomes = (payment: Pick<PaymentContext, 'of' | 'transId'>): PaymentOutcome[] =>
  (Object.keys(getCauses(payment)) as PaymentOutcome[]).filter((outcome) => !(isGift(payment) && outcome === 'owned'));

/** Causes an outcome of the payment. */
export const causeOutcome = async (
  walk: WalkContext,
  { outcome, problem }: PaymentOutput,
  payment: PaymentContext,
): Promise<void> => {
  const cause = getCauses(payment)[outcome];
  if (cause === undefined) throw new Error(`The browser adapter has no cause for the payment outcome ${outcome}.`);
  await cause(walk, payment, problem);
};

/**
 * Starts the payment at the gateway; then opens a file of the shop, whose storage has the trace.
 */
export const leaveForGateway = async (walk: WalkContext): Promise<void> => {
  await settlePort(walk, 'startPayment', { output: { transId: 't1', provider: 'test', url: 'https://pay.example/1' } });
  await new CheckoutPage(walk.page).waitForGateway();
  await walk.page.goto(`${walk.shop.url}/favicon.svg`);
};

/** Continues a pending payment at the gateway, and returns to the same page without paying. */
export const returnUnpaid = async (walk: WalkContext): Promise<void> => {
  await stubGateway(walk);
  await settleStatus(walk, 'pending');
  await new ShopPage(walk.page).control('continue.pressed').click();
  await returnToPage(walk);
};
