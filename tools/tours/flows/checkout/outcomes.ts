import type { AnyEventObject } from 'xstate';
import type { Outcome, PurchaseState } from '../../../../machines/buying/payment.ts';
import { problems } from '../../../../machines/path-models/path-model.ts';
import { ShopPage } from '../../../browser/shop.ts';
import type { World } from '../../stage.ts';
import { returnToPage, stubGateway } from '../../causes.ts';
import { standsAtServer, visitGateway } from './stage-helpers.ts';

/** Settles what the payment asks for, once. */
const answer = async (world: World, port: string, what: Omit<AnyEventObject, 'type'>): Promise<void> => {
  await world.settle({ type: `xstate.${'error' in what ? 'error' : 'done'}.actor.${port}`, ...what });
  world.hold(port);
};

const started = (error: unknown) => (world: World) => answer(world, 'startPayment', { error });
const stands = (status: PurchaseState['status']) => (world: World) =>
  answer(world, 'paymentStatus', {
    output: { transId: 't1', titleId: '1001', intentId: 'in1', url: 'https://pay.example/1', reason: null, status },
  });

/** How a payment that begins comes to each of its ends without the gateway. */
const ofFresh: Partial<Record<Outcome, (world: World) => Promise<void>>> = {
  failed: started(problems.declined),
  priceChanged: started(problems.priceChanged),
  owned: started(problems.alreadyOwned),
  none: async (world) => {
    await started(problems.malformed)(world);
    await new ShopPage(world.page).press('status.pressed').click();
  },
};

/** How a payment that is taken up does. */
const ofTakenUp: Partial<Record<Outcome, (world: World) => Promise<void>>> = {
  succeeded: stands('paid'),
  failed: stands('failed'),
  cancelled: stands('cancelled'),
  notFound: (world) => answer(world, 'paymentStatus', { error: problems.notFound }),
};

export const fresh = Object.keys(ofFresh);
export const takenUp = Object.keys(ofTakenUp);

/** Leads a payment to its end. */
export const conclude = async (world: World, outcome: Outcome, isTakenUp: boolean): Promise<void> => {
  const way = (isTakenUp ? ofTakenUp : ofFresh)[outcome];
  if (way === undefined) throw new Error(`No payment ends as ${outcome} here.`);
  await way(world);
};

/** Off to the gateway: to pay there, or because the bank wants to ask about the card. */
export const leave = async (world: World, paysByCard: boolean): Promise<void> => {
  await answer(world, 'startPayment', { output: { transId: 't1', provider: 'test', url: 'https://pay.example/1' } });
  if (paysByCard) await answer(world, 'payByCard', { output: await standsAtServer(world, 'pending') });
  await visitGateway(world);
};

/** The payment is still to be made, the customer leaves for it, and comes back to the page as it was. */
export const returned = async (world: World): Promise<void> => {
  await stubGateway(world);
  await stands('pending')(world);
  await new ShopPage(world.page).press('continue.pressed').click();
  await returnToPage(world);
};
