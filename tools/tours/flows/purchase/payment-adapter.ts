import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { paymentMachine } from '../../../../machines/buying/payment.ts';
import type { Order, PurchaseState } from '../../../../machines/buying/payment-setup.ts';
import { toProblem } from '../../../../machines/model/problem.ts';
import { problems, toRejectionCases, type PathModel } from '../../../../machines/path-models/path-model.ts';
import { models } from '../../../../machines/path-models/flows/purchase/paths.ts';
import { card, monthlyPlan } from '../../../../machines/path-models/flows/purchase/offers.ts';
import { ShopPage } from '../../../browser/shop.ts';
import { waitForRecorder, getNextSettlement, returnToPage, stubGateway } from '../../causes.ts';
import type { Headings, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import {
  cardsPort,
  createReturnPath,
  confirmPort,
  payByCardPort,
  reachStatus,
  startPort,
  statusPort,
  titleIds,
  UNKNOWN_RETURN_PATH,
  visitGateway,
} from './adapter-helpers.ts';
import { pauseClock } from '../../../browser/clock.ts';

const CHECKING_HEADING = 'Checking your payment';
const ENDED_HEADING = 'One moment';

const headings: Headings<typeof paymentMachine> = {
  arriving: CHECKING_HEADING,
  submitting: /Taking you to the payment page|Paying|Adding the title to your library/,
  charging: 'Paying',
  unreachable: 'The shop can’t be reached',
  actionRequired: 'Complete your payment',
  cancelling: CHECKING_HEADING,
  confirming: 'Confirming your payment',
  unknown: 'We don’t know yet whether your payment went through',
  reconciling: CHECKING_HEADING,
  reconciled: CHECKING_HEADING,
  succeeded: ENDED_HEADING,
  failed: ENDED_HEADING,
  cancelled: ENDED_HEADING,
  priceChanged: ENDED_HEADING,
  owned: ENDED_HEADING,
  none: ENDED_HEADING,
  notFound: ENDED_HEADING,
};

const isMissing = (event: AnyEventObject | null): boolean => {
  const problem = toProblem(event?.['error']);
  return problem.kind === 'refused' && problem.code === 'not_found';
};

const isDeclined = ({ error }: AnyEventObject): boolean => {
  const problem = toProblem(error);
  return problem.kind === 'refused' && problem.code === 'card_declined';
};

/**
 * Whether a walk can play a model: payments of one title (at the gateway, by a saved card, or
 * resumed) and new payments of a plan by a saved card.
 */
const isPlayable = ({ name, input }: PathModel): boolean => {
  if (name !== 'payment') return false;
  const { of, transId, cardId, credits } = input as Order;
  return of === 'subscription' ? cardId !== null && transId === null : of === 'title' && credits === null;
};

/**
 * Whether an event is possible. Without a transaction, the status comes from the library, which
 * knows only whether the title is owned.
 */
const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const { of, transId, url, cardId } = snapshot.context as Order & { url: string | null };
  // For a subscription, a walk covers only a declined card at the start.
  if (of === 'subscription') return event.type === 'xstate.error.actor.payByCard' && isDeclined(event);
  // Free titles are not paid by card.
  if (event.type === 'xstate.done.actor.startPayment' && isGranted(event)) return cardId === null;
  if (event.type === 'xstate.done.actor.paymentStatus') {
    const { status } = event['output'] as PurchaseState;
    return (transId === null) === (status === 'none' || status === 'owned');
  }
  if (event.type === 'xstate.error.actor.paymentStatus') return transId !== null || !isMissing(event);
  // The page cannot return before it was left.
  return event.type !== 'page.returned' || url !== null;
};

const START_ERROR = 'xstate.error.actor.startPayment';

/**
 * Rejections of the start. An aborted request comes first: it has the same transition as a request
 * without a response, but is faster.
 */
const createLostStartCases = ({ cases }: PathModel) => ({
  [START_ERROR]: [...toRejectionCases(problems.offline), ...(cases?.[START_ERROR] ?? [])],
});

/** Whether a started payment grants a free title at once, without the gateway. */
const isGranted = (event: AnyEventObject | null): boolean => (event?.['output'] as { url?: string } | undefined)?.url === '';

const planPurchasePath = `/subscription/purchase?planid=${monthlyPlan.id}`;

/** The library's response at the start of a purchase: the title is not owned. */
const notOwnedEvent: AnyEventObject = { type: 'xstate.done.actor.paymentStatus', output: { status: 'none' } };

export const adapter: BrowserAdapter = {
  name: 'payment',
  models: models.filter(isPlayable).map((model) => ({ ...model, cases: { ...model.cases, ...createLostStartCases(model) } })),
  reusesPage: true,
  getStartPath: ({ of, transId }: Order) =>
    of === 'subscription' ? planPurchasePath : transId === null ? '/title/purchase' : '/checkout/complete',
  startsSignedIn: () => true,
  prepare: async (walk, { input }) => {
    if ((input as Order).of === 'subscription') return planPurchasePath;
    if ((input as Order).transId !== null)
      return isMissing(getNextSettlement(walk, 'paymentStatus')) ? UNKNOWN_RETURN_PATH : createReturnPath(walk);
    return `/title/purchase?titleid=${isGranted(getNextSettlement(walk, 'startPayment')) ? titleIds.free : titleIds.forSale}`;
  },
  openScreen: async (walk, model) => {
    const shop = new ShopPage(walk.page);
    const { of, cardId } = model.input as Order;
    const cardsEvent = { type: 'xstate.done.actor.savedCards', output: cardId === null ? [] : [{ ...card, id: cardId }] };
    if (of === 'subscription') {
      await walk.settle(cardsEvent);
      await shop.control('pay.pressed').click();
    } else if (new URL(walk.page.url()).pathname === '/title/purchase') {
      await walk.settle(notOwnedEvent);
      walk.hold('paymentStatus');
      if (!isGranted(getNextSettlement(walk, 'startPayment'))) await walk.settle(cardsEvent);
      await shop.control('pay.pressed').click();
    }
    await shop.flow('payment').waitFor();
    await waitForRecorder(walk);
    // A timer requests the status of an unknown outcome again; the paused clock prevents that.
    await pauseClock(walk);
  },
  headings,
  isPossible,
  ports: {
    savedCards: cardsPort,
    startPayment: startPort,
    payByCard: payByCardPort,
    confirmPayment: confirmPort,
    paymentStatus: statusPort,
    statusBeforeCancel: statusPort,
  },
  causes: {
    'xstate.done.actor.startPayment': async (walk, event, { context }) => {
      await walk.settle(event);
      if (!isGranted(event) && (context as Order).cardId === null) await visitGateway(walk);
    },
    'xstate.done.actor.payByCard': async (walk, event) => {
      const state = await reachStatus(walk, (event['output'] as PurchaseState).status);
      await walk.settle({ ...event, output: state });
      if (state.status === 'pending') await visitGateway(walk);
    },
    'continue.pressed': async (walk) => {
      await new ShopPage(walk.page).control('continue.pressed').click();
      await visitGateway(walk);
    },
    'page.returned': async (walk: WalkContext) => {
      await stubGateway(walk);
      await new ShopPage(walk.page).control('continue.pressed').click();
      await returnToPage(walk);
    },
  },
};
