import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { paymentMachine } from '../../../../machines/buying/payment.ts';
import type { Order, PurchaseState } from '../../../../machines/buying/payment-setup.ts';
import { toProblem } from '../../../../machines/model/problem.ts';
import { problems, toRejectionCases, type PathModel } from '../../../../machines/path-models/path-model.ts';
import { models } from '../../../../machines/path-models/flows/purchase/paths.ts';
import { card, monthly } from '../../../../machines/path-models/flows/purchase/offers.ts';
import { ShopPage } from '../../../browser/shop.ts';
import { waitForRecorder, getNextSettlement, returnToPage, pauseClock, stubGateway } from '../../causes.ts';
import type { Headings, BrowserAdapter, WalkContext } from '../../browser-adapter.ts';
import {
  cardsPort,
  getReturnPath,
  confirmPort,
  payByCardPort,
  reachStatus,
  startPort,
  statusPort,
  titles,
  UNKNOWN_RETURN_PATH,
  visitGateway,
} from './adapter-helpers.ts';

const CHECKING_HEADING = 'Checking your payment';
const OVER_HEADING = 'One moment';

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
  succeeded: OVER_HEADING,
  failed: OVER_HEADING,
  cancelled: OVER_HEADING,
  priceChanged: OVER_HEADING,
  owned: OVER_HEADING,
  none: OVER_HEADING,
  notFound: OVER_HEADING,
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
 * Payments of one title on the gateway's page, with a saved card, and resumed ones; and of a plan
 * with a saved card.
 */
const isPlayable = ({ name, input }: PathModel): boolean => {
  if (name !== 'payment') return false;
  const { of, transId, cardId, credits } = input as Order;
  return of === 'subscription' ? cardId !== null && transId === null : of === 'title' && credits === null;
};

/** Without a transaction only the library is asked, whose answer is whether the title is owned. */
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
/** An aborted start has the same transition as one without a response, but is faster. */
const createLostStartCases = ({ cases }: PathModel) => ({
  [START_ERROR]: [...toRejectionCases(problems.offline), ...(cases?.[START_ERROR] ?? [])],
});

const isGranted = (event: AnyEventObject | null): boolean => (event?.['output'] as { url?: string } | undefined)?.url === '';

const planPurchasePath = `/subscription/purchase?planid=${monthly.id}`;

const passingStatus: AnyEventObject = { type: 'xstate.done.actor.paymentStatus', output: { status: 'none' } };

export const adapter: BrowserAdapter = {
  name: 'payment',
  models: models.filter(isPlayable).map((model) => ({ ...model, cases: { ...model.cases, ...createLostStartCases(model) } })),
  reusesPage: true,
  address: ({ of, transId }: Order) =>
    of === 'subscription' ? planPurchasePath : transId === null ? '/title/purchase' : '/checkout/complete',
  startsSignedIn: () => true,
  prepares: async (world, { input }) => {
    if ((input as Order).of === 'subscription') return planPurchasePath;
    if ((input as Order).transId !== null)
      return isMissing(getNextSettlement(world, 'paymentStatus')) ? UNKNOWN_RETURN_PATH : getReturnPath(world);
    return `/title/purchase?titleid=${isGranted(getNextSettlement(world, 'startPayment')) ? titles.free : titles.sold}`;
  },
  arrives: async (world, model) => {
    const shop = new ShopPage(world.page);
    const { of, cardId } = model.input as Order;
    const kept = { type: 'xstate.done.actor.keptCards', output: cardId === null ? [] : [{ ...card, id: cardId }] };
    if (of === 'subscription') {
      await world.settle(kept);
      await shop.control('pay.pressed').click();
    } else if (new URL(world.page.url()).pathname === '/title/purchase') {
      await world.settle(passingStatus);
      world.hold('paymentStatus');
      if (!isGranted(getNextSettlement(world, 'startPayment'))) await world.settle(kept);
      await shop.control('pay.pressed').click();
    }
    await shop.flow('payment').waitFor();
    await waitForRecorder(world);
    // An unknown outcome is polled again by a timer; the paused clock prevents that.
    await pauseClock(world);
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
      const state = await reachStatus(world, (event['output'] as PurchaseState).status);
      await world.settle({ ...event, output: state });
      if (state.status === 'pending') await visitGateway(world);
    },
    'continue.pressed': async (world) => {
      await new ShopPage(world.page).control('continue.pressed').click();
      await visitGateway(world);
    },
    'page.returned': async (world: WalkContext) => {
      await stubGateway(world);
      await new ShopPage(world.page).control('continue.pressed').click();
      await returnToPage(world);
    },
  },
};
