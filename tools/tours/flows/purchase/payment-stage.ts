import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { paymentMachine } from '../../../../machines/buying/payment.ts';
import type { Order, PurchaseState } from '../../../../machines/buying/payment-setup.ts';
import { problemOf } from '../../../../machines/model/problem.ts';
import { problems, rejections, type PathModel } from '../../../../machines/path-models/path-model.ts';
import { models } from '../../../../machines/path-models/flows/purchase/paths.ts';
import { card, monthly } from '../../../../machines/path-models/flows/purchase/offers.ts';
import { ShopPage } from '../../../browser/shop.ts';
import { isRecorded, nextOf, returnToPage, stopTime, stubGateway } from '../../causes.ts';
import type { Headings, Stage, World } from '../../stage.ts';
import {
  cardsPort,
  comeBack,
  confirmPort,
  payByCardPort,
  standsAtServer,
  startPort,
  statusPort,
  titles,
  unknownPurchase,
  visitGateway,
} from './stage-helpers.ts';

const checking = 'Checking your payment';
const over = 'One moment';

const headings: Headings<typeof paymentMachine> = {
  arriving: checking,
  submitting: /Taking you to the payment page|Paying|Adding the title to your library/,
  charging: 'Paying',
  unreachable: 'The shop can’t be reached',
  actionRequired: 'Complete your payment',
  cancelling: checking,
  confirming: 'Confirming your payment',
  unknown: 'We don’t know yet whether your payment went through',
  reconciling: checking,
  reconciled: checking,
  succeeded: over,
  failed: over,
  cancelled: over,
  priceChanged: over,
  owned: over,
  none: over,
  notFound: over,
};

const isMissing = (event: AnyEventObject | null): boolean => {
  const problem = problemOf(event?.['error']);
  return problem.kind === 'refused' && problem.code === 'not_found';
};

const isDeclined = ({ error }: AnyEventObject): boolean => {
  const problem = problemOf(error);
  return problem.kind === 'refused' && problem.code === 'card_declined';
};

/**
 * The payments of one title, on the gateway's page, by a kept card, and taken up; and that of a
 * plan by a kept card.
 */
const isStaged = ({ name, input }: PathModel): boolean => {
  if (name !== 'payment') return false;
  const { of, transId, cardId, credits } = input as Order;
  return of === 'subscription' ? cardId !== null && transId === null : of === 'title' && credits === null;
};

/** Without a transaction only the library can be asked, which knows a title as owned or not. */
const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const { of, transId, url, cardId } = snapshot.context as Order & { url: string | null };
  // Of a subscription, a tour only sees how its payment begins by a card.
  if (of === 'subscription') return event.type === 'xstate.error.actor.payByCard' && isDeclined(event);
  // Nobody chooses a card for what is free.
  if (event.type === 'xstate.done.actor.startPayment' && isGranted(event)) return cardId === null;
  if (event.type === 'xstate.done.actor.paymentStatus') {
    const { status } = event['output'] as PurchaseState;
    return (transId === null) === (status === 'none' || status === 'owned');
  }
  if (event.type === 'xstate.error.actor.paymentStatus') return transId !== null || !isMissing(event);
  // Nobody returns who has not left.
  return event.type !== 'page.returned' || url !== null;
};

const failing = 'xstate.error.actor.startPayment';
/** A beginning that breaks off leads where one without an answer does, and sooner. */
const lostStart = ({ cases }: PathModel) => ({ [failing]: [...rejections(problems.offline), ...(cases?.[failing] ?? [])] });

const isGranted = (event: AnyEventObject | null): boolean => (event?.['output'] as { url?: string } | undefined)?.url === '';

const planAddress = `/subscription/purchase?planid=${monthly.id}`;

const passing: AnyEventObject = { type: 'xstate.done.actor.paymentStatus', output: { status: 'none' } };

export const stage: Stage = {
  name: 'payment',
  models: models.filter(isStaged).map((model) => ({ ...model, cases: { ...model.cases, ...lostStart(model) } })),
  sharesPage: true,
  address: ({ of, transId }: Order) =>
    of === 'subscription' ? planAddress : transId === null ? '/title/purchase' : '/checkout/complete',
  startsSignedIn: () => true,
  prepares: async (world, { input }) => {
    if ((input as Order).of === 'subscription') return planAddress;
    if ((input as Order).transId !== null) return isMissing(nextOf(world, 'paymentStatus')) ? unknownPurchase : comeBack(world);
    return `/title/purchase?titleid=${isGranted(nextOf(world, 'startPayment')) ? titles.free : titles.sold}`;
  },
  arrives: async (world, model) => {
    const shop = new ShopPage(world.page);
    const { of, cardId } = model.input as Order;
    const kept = { type: 'xstate.done.actor.keptCards', output: cardId === null ? [] : [{ ...card, id: cardId }] };
    if (of === 'subscription') {
      await world.settle(kept);
      await shop.press('pay.pressed').click();
    } else if (new URL(world.page.url()).pathname === '/title/purchase') {
      await world.settle(passing);
      world.hold('paymentStatus');
      if (!isGranted(nextOf(world, 'startPayment'))) await world.settle(kept);
      await shop.press('pay.pressed').click();
    }
    await shop.flow('payment').waitFor();
    await isRecorded(world);
    // What is not known is asked for again by itself, but not before its time.
    await stopTime(world);
  },
  headings,
  isPossible,
  ports: {
    keptCards: cardsPort,
    startPayment: startPort,
    payByCard: payByCardPort,
    confirmPayment: confirmPort,
    paymentStatus: statusPort,
    statusBeforeCancel: statusPort,
  },
  causes: {
    'xstate.done.actor.startPayment': async (world, event, { context }) => {
      await world.settle(event);
      if (!isGranted(event) && (context as Order).cardId === null) await visitGateway(world);
    },
    'xstate.done.actor.payByCard': async (world, event) => {
      const state = await standsAtServer(world, (event['output'] as PurchaseState).status);
      await world.settle({ ...event, output: state });
      if (state.status === 'pending') await visitGateway(world);
    },
    'continue.pressed': async (world) => {
      await new ShopPage(world.page).press('continue.pressed').click();
      await visitGateway(world);
    },
    'page.returned': async (world: World) => {
      await stubGateway(world);
      await new ShopPage(world.page).press('continue.pressed').click();
      await returnToPage(world);
    },
  },
};
