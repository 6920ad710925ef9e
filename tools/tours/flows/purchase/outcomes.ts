import type { AnyEventObject } from 'xstate';
import type { Context } from '../../../../machines/buying/purchase/context.ts';
import { isGift } from '../../../../machines/buying/purchase/offer.ts';
import type { Outcome, PaymentOutput, PurchaseState } from '../../../../machines/buying/payment-setup.ts';
import type { Problem } from '../../../../machines/model/problem.ts';
import { problems } from '../../../../machines/path-models/path-model.ts';
import { CheckoutPage } from '../../../browser/checkout-page.ts';
import { ShopPage } from '../../../browser/shop.ts';
import { returnToPage, stubGateway } from '../../causes.ts';
import type { World } from '../../stage.ts';

type Paid = Pick<Context, 'of' | 'transId' | 'cardId'>;

/** Settles what the payment asks for, once. */
const answer = async (world: World, port: string, what: Omit<AnyEventObject, 'type'>): Promise<void> => {
  await world.settle({ type: `xstate.${'error' in what ? 'error' : 'done'}.actor.${port}`, ...what });
  world.hold(port);
};

const stands = (world: World, status: PurchaseState['status']): Promise<void> =>
  answer(world, 'paymentStatus', {
    output: { transId: 't1', titleId: '1001', intentId: 'in1', url: 'https://pay.example/1', reason: null, status },
  });

const alreadySubscribed: Problem = { kind: 'refused', code: 'already_subscribed', message: '' };

/** Refuses to begin; a plan is begun by a kept card in one call. */
const refuses = (world: World, { of, cardId }: Paid, error: Problem): Promise<void> =>
  answer(world, of === 'subscription' && cardId !== null ? 'payByCard' : 'startPayment', { error });

/** The outcome is unknown at first, and then the server knows of no payment. */
const loses = async (world: World, paid: Paid): Promise<void> => {
  await refuses(world, paid, problems.malformed);
  await new ShopPage(world.page).press('status.pressed').click();
  // The library knows a title; for a cart there is no further question.
  if (isGift(paid) || paid.of === 'subscription') await stands(world, 'none');
};

type Ways = Partial<Record<Outcome, (world: World, paid: Paid, problem: Problem | null) => Promise<void>>>;

/** How a payment that begins comes to each of its ends without the gateway. */
const ofFresh: Ways = {
  failed: (world, paid, problem) => refuses(world, paid, problem ?? problems.declined),
  priceChanged: (world, paid) => refuses(world, paid, problems.priceChanged),
  owned: (world, paid) => refuses(world, paid, paid.of === 'subscription' ? alreadySubscribed : problems.alreadyOwned),
  none: loses,
};

/** How a payment that is taken up does. */
const ofTakenUp: Ways = {
  succeeded: (world) => stands(world, 'paid'),
  failed: (world) => stands(world, 'failed'),
  cancelled: (world) => stands(world, 'cancelled'),
  notFound: (world) => answer(world, 'paymentStatus', { error: problems.notFound }),
};

/** How a subscription does, with which the gateway has led back: it is confirmed at once. */
const ofAuthorized: Ways = {
  succeeded: (world) => answer(world, 'confirmPayment', { output: null }),
  failed: (world) => answer(world, 'confirmPayment', { error: problems.declined }),
  owned: (world) => answer(world, 'confirmPayment', { error: alreadySubscribed }),
};

const waysOf = ({ of, transId }: Pick<Paid, 'of' | 'transId'>): Ways => {
  if (transId === null) return ofFresh;
  return of === 'subscription' ? ofAuthorized : ofTakenUp;
};

/** The ends that a payment can be led to here. A gift is not owned by its giver. */
export const endingsOf = (paid: Pick<Paid, 'of' | 'transId'>): Outcome[] =>
  (Object.keys(waysOf(paid)) as Outcome[]).filter((outcome) => !(isGift(paid) && outcome === 'owned'));

/** Leads a payment to its end. */
export const conclude = async (world: World, { outcome, problem }: PaymentOutput, paid: Paid): Promise<void> => {
  const way = waysOf(paid)[outcome];
  if (way === undefined) throw new Error(`No payment ends as ${outcome} here.`);
  await way(world, paid, problem);
};

/** Off to the gateway, to pay there; then back on the shop's side, where the record is. */
export const leave = async (world: World): Promise<void> => {
  await answer(world, 'startPayment', { output: { transId: 't1', provider: 'test', url: 'https://pay.example/1' } });
  await new CheckoutPage(world.page).isAtGateway();
  await world.page.goto(`${world.shop.url}/favicon.svg`);
};

/** The payment is still to be made; the customer leaves for it, and returns to the same page. */
export const returned = async (world: World): Promise<void> => {
  await stubGateway(world);
  await stands(world, 'pending');
  await new ShopPage(world.page).press('continue.pressed').click();
  await returnToPage(world);
};
