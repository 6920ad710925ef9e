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

type Paid = Pick<Context, 'of' | 'transId' | 'cardId'>;

/** Settles a request of the payment once. */
const settlePort = async (world: WalkContext, port: string, what: Omit<AnyEventObject, 'type'>): Promise<void> => {
  await world.settle({ type: `xstate.${'error' in what ? 'error' : 'done'}.actor.${port}`, ...what });
  world.hold(port);
};

const settleStatus = (world: WalkContext, status: PurchaseState['status']): Promise<void> =>
  settlePort(world, 'paymentStatus', {
    output: { transId: 't1', titleId: '1001', intentId: 'in1', url: 'https://pay.example/1', reason: null, status },
  });

const alreadySubscribed: Problem = { kind: 'refused', code: 'already_subscribed', message: '' };

/** Refuses the start of a payment; a plan is started and paid by a saved card in one call. */
const rejectPayment = (world: WalkContext, { of, cardId }: Paid, error: Problem): Promise<void> =>
  settlePort(world, of === 'subscription' && cardId !== null ? 'payByCard' : 'startPayment', { error });

/** The outcome is unknown at first; then the server knows no payment. */
const losePayment = async (world: WalkContext, paid: Paid): Promise<void> => {
  await rejectPayment(world, paid, problems.malformed);
  await new ShopPage(world.page).control('status.pressed').click();
  // For a title, the library is asked; for a cart there is no further request.
  if (isGift(paid) || paid.of === 'subscription') await settleStatus(world, 'none');
};

type OutcomeCauses = Partial<Record<PaymentOutcome, (world: WalkContext, paid: Paid, problem: Problem | null) => Promise<void>>>;

/** How a new payment reaches each outcome without the gateway. */
const newPaymentCauses: OutcomeCauses = {
  failed: (world, paid, problem) => rejectPayment(world, paid, problem ?? problems.declined),
  priceChanged: (world, paid) => rejectPayment(world, paid, problems.priceChanged),
  owned: (world, paid) => rejectPayment(world, paid, paid.of === 'subscription' ? alreadySubscribed : problems.alreadyOwned),
  none: losePayment,
};

/** How a resumed payment does. */
const resumedPaymentCauses: OutcomeCauses = {
  succeeded: (world) => settleStatus(world, 'paid'),
  failed: (world) => settleStatus(world, 'failed'),
  cancelled: (world) => settleStatus(world, 'cancelled'),
  notFound: (world) => settlePort(world, 'paymentStatus', { error: problems.notFound }),
};

/** How a subscription does after the gateway's redirect: it is confirmed at once. */
const authorizedPaymentCauses: OutcomeCauses = {
  succeeded: (world) => settlePort(world, 'confirmPayment', { output: null }),
  failed: (world) => settlePort(world, 'confirmPayment', { error: problems.declined }),
  owned: (world) => settlePort(world, 'confirmPayment', { error: alreadySubscribed }),
};

const getCauses = ({ of, transId }: Pick<Paid, 'of' | 'transId'>): OutcomeCauses => {
  if (transId === null) return newPaymentCauses;
  return of === 'subscription' ? authorizedPaymentCauses : resumedPaymentCauses;
};

/** The possible outcomes of a payment here. A gift is never owned by its giver. */
export const getPossibleOutcomes = (paid: Pick<Paid, 'of' | 'transId'>): PaymentOutcome[] =>
  (Object.keys(getCauses(paid)) as PaymentOutcome[]).filter((outcome) => !(isGift(paid) && outcome === 'owned'));

/** Brings a payment to an outcome. */
export const causeOutcome = async (world: WalkContext, { outcome, problem }: PaymentOutput, paid: Paid): Promise<void> => {
  const way = getCauses(paid)[outcome];
  if (way === undefined) throw new Error(`No way to the payment outcome ${outcome} here.`);
  await way(world, paid, problem);
};

/** Leaves for the gateway to pay there; then returns to a page of the shop, where the record is. */
export const leave = async (world: WalkContext): Promise<void> => {
  await settlePort(world, 'startPayment', { output: { transId: 't1', provider: 'test', url: 'https://pay.example/1' } });
  await new CheckoutPage(world.page).waitForGateway();
  await world.page.goto(`${world.shop.url}/favicon.svg`);
};

/**
 * The payment is not made yet: the customer leaves for the gateway, and returns to the same page.
 */
export const returnPending = async (world: WalkContext): Promise<void> => {
  await stubGateway(world);
  await settleStatus(world, 'pending');
  await new ShopPage(world.page).control('continue.pressed').click();
  await returnToPage(world);
};
