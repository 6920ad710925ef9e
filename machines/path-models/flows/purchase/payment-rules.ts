import type { paymentMachine } from '../../../buying/payment.ts';
import type { Order, PurchaseState } from '../../../buying/payment-setup.ts';
import { isUnreachable, isOutcomeUnknown, type Problem } from '../../../model/problem.ts';
import { isMissing } from '../../../ports.ts';
import type { PaidFor, PaymentSession } from '../../../model/buying/purchase.ts';
import { getPortOutput, getPortInput, getPortProblem, rulesFor, getSentEvents, type MomentOf } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { isSameJson } from '../../../same-json.ts';

const payment = rulesFor<typeof paymentMachine>();
type Payment = MomentOf<typeof paymentMachine>;

const getStatus = (moment: Payment): PurchaseState['status'] | null =>
  getPortOutput<PurchaseState>(moment, 'paymentStatus', 'statusBeforeCancel', 'payByCard')?.status ?? null;

/** Whether the server confirms in this step that the goods are paid or granted. */
const isPaid = (moment: Payment): boolean =>
  getStatus(moment) === 'paid' ||
  getPortOutput<PaymentSession>(moment, 'startPayment')?.url === '' ||
  getPortOutput(moment, 'confirmPayment') !== undefined;

const isLostCall = (moment: Payment, ...ports: string[]): boolean => {
  const problem = getPortProblem(moment, ...ports);
  return problem !== null && isOutcomeUnknown(problem);
};

/** The state for each status that the server reports. */
const outcomeByStatus: Record<PurchaseState['status'], string> = {
  paid: 'succeeded',
  authorized: 'confirming',
  pending: 'actionRequired',
  failed: 'failed',
  cancelled: 'cancelled',
  owned: 'owned',
  none: 'none',
};

/** The state for each code of a refusal that has its own outcome. */
const outcomeByCode: Record<string, string> = {
  already_owned: 'owned',
  already_subscribed: 'owned',
  price_changed: 'priceChanged',
};

/** The state for a failed start, charge or capture. */
const getExpectedOutcome = (problem: Problem): string => {
  const refusalOutcome = problem.kind === 'refused' ? outcomeByCode[problem.code] : undefined;
  return refusalOutcome ?? (isOutcomeUnknown(problem) || problem.kind === 'unauthorized' ? 'unknown' : 'failed');
};

/** Whether the payment starts with a stored card: a plan needs only one call then. */
const startsWithCard = ({ of, cardId, transId }: Order): boolean => of === 'subscription' && cardId !== null && transId === null;

/** The order of a payment, from the event of its first step. */
const getInitialOrder = ({ event }: Payment): Order => event['input'] as Order;

export const isNotFound = (problem: Problem): boolean => isMissing(null, problem);

export const paymentRules: MachineRules = {
  rules: [
    payment.onlyAfter('a payment succeeds only after the server has confirmed it', {
      cause: isPaid,
      what: ({ snapshot }) => snapshot.matches('succeeded'),
    }),
    payment.never('a paid payment never ends with another outcome', {
      after: isPaid,
      what: ({ snapshot }) => snapshot.status === 'done' && !snapshot.matches('succeeded'),
    }),
    payment.invariant('at most one request of a payment runs at a time', ({ children }) => {
      const childIds = Object.keys(children);
      return childIds.length < 2 || childIds.join(' and ');
    }),
    payment.remembering('a start without an answer is repeated only with its key', null, (lostKey: string | null, moment) => {
      const input = getPortInput<Order>(moment, 'startPayment');
      if (lostKey !== null && input && input.key !== lostKey)
        return { broken: `the payment is started again with the key ${String(input.key)}` };
      return { memory: isLostCall(moment, 'startPayment') ? (moment.snapshot.context.key ?? '') : lostKey };
    }),
    payment.never('no payment starts after a charge whose answer was lost', {
      after: (moment) => isLostCall(moment, 'confirmPayment', 'payByCard'),
      what: (moment) => getPortInput(moment, 'startPayment') !== undefined || getPortInput(moment, 'payByCard') !== undefined,
    }),
    payment.always('a stored card pays exactly the payment that was just started', (moment) => {
      const input = getPortInput<Order>(moment, 'payByCard');
      const { before, snapshot } = moment;
      if (startsWithCard(snapshot.context) && before === null) return input?.cardId === getInitialOrder(moment).cardId;
      const session = getPortOutput<PaymentSession>(moment, 'startPayment');
      const mustCharge = session !== undefined && session.url !== '' && before?.context.cardId != null;
      return input === undefined
        ? !mustCharge
        : mustCharge && input.transId === session.transId && input.cardId === before?.context.cardId;
    }),
    payment.onlyAfter('a payment is captured at most once for each authorised status', {
      cause: (moment) => getStatus(moment) === 'authorized',
      what: (moment) => getPortInput(moment, 'confirmPayment') !== undefined,
      each: true,
    }),
    payment.always('the captured payment is the one whose status was requested', (moment) => {
      const input = getPortInput<{ transId: string; intentId: string }>(moment, 'confirmPayment');
      const state = getPortOutput<PurchaseState>(moment, 'paymentStatus', 'payByCard');
      return input === undefined || (input.transId === state?.transId && input.intentId === state.intentId);
    }),
    payment.never('no payment is captured after the customer has cancelled', {
      after: ({ event, fired }) => event.type === 'cancel.pressed' && fired.length > 0,
      what: (moment) => getPortInput(moment, 'confirmPayment') !== undefined,
    }),
    payment.always('a charge whose answer was lost leads to unknown', (moment) => {
      return !isLostCall(moment, 'confirmPayment', 'payByCard') || moment.snapshot.matches('unknown');
    }),
    payment.never('a capture without an answer stays unknown until the server reports a status', {
      after: (moment) => isLostCall(moment, 'confirmPayment'),
      until: (moment) => getStatus(moment) !== null || getPortProblem(moment, 'paymentStatus') !== null,
      what: ({ snapshot }) => !['unknown', 'reconciling'].includes(snapshot.value),
    }),
    {
      kind: 'ways',
      name: 'an unknown payment is checked again after its delay',
      check: (snapshot, edges) =>
        snapshot.value !== 'unknown' ||
        edges.some(({ event, fired, to }) => {
          return event.type.startsWith('xstate.after.checkAgain') && fired.length > 0 && to.snapshot.value === 'reconciling';
        }),
    },
    payment.always('the delay before a check is 3 s, doubled each time, at most a minute', (moment) => {
      if (!moment.snapshot.matches('unknown') || moment.before?.matches('unknown') === true) return true;
      const delays = moment.effects.flatMap((effect) =>
        effect.kind === 'send' && effect.delay !== undefined ? [effect.delay] : [],
      );
      return isSameJson(delays, [Math.min(3000 * 2 ** moment.snapshot.context.checks, 60_000)]);
    }),
    payment.always('the page is left only for an existing URL', (moment) =>
      getSentEvents(moment, 'leave').every(({ url }) => url !== ''),
    ),
    payment.invariant('the output of a payment has its outcome and its ids', ({ status, value, output, context }) => {
      const { titleId, transId, problem, paidFor } = context;
      return status !== 'done' || isSameJson(output as unknown, { outcome: value, titleId, transId, problem, paidFor });
    }),
    payment.always('the initial context of a payment has only its order', ({ before, snapshot: { context } }) => {
      const { url, status, paidFor, cancels, checks, problem, outcome } = context;
      const isNew = isSameJson(
        [url, status, paidFor, cancels, checks, problem, outcome],
        [null, null, null, false, 0, null, 'none'],
      );
      return before !== null || isNew;
    }),
    payment.always('the ids and the purpose of a payment are those that the server names', (moment) => {
      const state = getPortOutput<PurchaseState>(moment, 'paymentStatus', 'statusBeforeCancel', 'payByCard');
      if (state === undefined || moment.before === null) return true;
      const { transId, titleId, paidFor } = moment.before.context;
      const { context } = moment.snapshot;
      const expectedValues = [state.transId || transId, state.titleId || titleId, state.paidFor ?? paidFor];
      return isSameJson([context.transId, context.titleId, context.paidFor], expectedValues);
    }),
    payment.always('only a declined payment has a problem, with the reason of the gateway', (moment) => {
      const state = getPortOutput<PurchaseState>(moment, 'paymentStatus', 'statusBeforeCancel', 'payByCard');
      if (state === undefined) return true;
      const declinedProblem = { kind: 'refused', code: 'declined', message: state.reason ?? '' };
      return isSameJson(moment.snapshot.context.problem, state.status === 'failed' ? declinedProblem : null);
    }),
    payment.always('a payment is captured for the kind of purchase that it was made for', (moment) => {
      const input = getPortInput<{ of: PaidFor }>(moment, 'confirmPayment');
      const { of, paidFor } = moment.snapshot.context;
      return input === undefined || input.of === (paidFor ?? of);
    }),
    payment.always('a started payment waits at its page, charges the card, or has granted the title', (moment) => {
      const session = getPortOutput<PaymentSession>(moment, 'startPayment');
      if (session === undefined) return true;
      const { value, context } = moment.snapshot;
      return value === (session.url === '' ? 'succeeded' : context.cardId !== null ? 'charging' : 'actionRequired');
    }),
    payment.always('an unreachable server leads to a retry, or to a check if credits may have been spent', (moment) => {
      const problem = getPortProblem(moment, 'startPayment');
      const { credits } = moment.snapshot.context;
      if (problem === null || !isUnreachable(problem)) return true;
      return moment.snapshot.matches(credits === null ? 'unreachable' : 'unknown');
    }),
    payment.always('the state of a payment follows the status of the server', (moment) => {
      const status = getStatus(moment);
      if (status === null) return true;
      const staysCancelled = moment.before?.context.cancels === true && status !== 'paid';
      return moment.snapshot.value === (staysCancelled ? 'cancelled' : outcomeByStatus[status]);
    }),
    payment.always('a failed start leads to the state for its problem', (moment) => {
      const problem = getPortProblem(moment, 'startPayment');
      if (problem === null) return true;
      const isUnsent = isUnreachable(problem) && moment.snapshot.context.credits === null;
      return moment.snapshot.value === (isUnsent ? 'unreachable' : getExpectedOutcome(problem));
    }),
    payment.always('a failed capture leads to the state for its problem', (moment) => {
      const problem = getPortProblem(moment, 'confirmPayment');
      return problem === null || moment.snapshot.value === getExpectedOutcome(problem);
    }),
    payment.always('a failed charge of a card leads to the state for its problem', (moment) => {
      const problem = getPortProblem(moment, 'payByCard');
      return problem === null || moment.snapshot.value === getExpectedOutcome(problem);
    }),
    payment.always('a failed status request leaves the payment unknown, unless there is no such payment', (moment) => {
      const problem = getPortProblem(moment, 'paymentStatus', 'statusBeforeCancel');
      if (problem === null) return true;
      const isPaymentMissing = moment.before?.matches('reconciling') === true && isNotFound(problem);
      return moment.snapshot.value === (isPaymentMissing ? 'notFound' : 'unknown');
    }),
    payment.always('a started payment leads to its page, and Continue leads there again', (moment) => {
      const session = getPortOutput<PaymentSession>(moment, 'startPayment');
      const { url, transId } = moment.snapshot.context;
      if (session !== undefined && (transId !== session.transId || url !== session.url))
        return 'the id or the URL of the payment is lost';
      const cardPayment = getPortOutput<PurchaseState>(moment, 'payByCard');
      const mustLeave =
        (session !== undefined && session.url !== '' && moment.snapshot.context.cardId === null) ||
        (cardPayment?.status === 'pending' && Boolean(cardPayment.url)) ||
        (moment.event.type === 'continue.pressed' && moment.before?.matches('actionRequired') === true && Boolean(url));
      return isSameJson(getSentEvents(moment, 'leave'), mustLeave ? [{ type: 'leave', url }] : []);
    }),
    payment.always('a press, a return to the page, or the delay checks an open payment', (moment) => {
      const { event, before } = moment;
      const mustCheck =
        ['status.pressed', 'page.returned'].includes(event.type) || event.type.startsWith('xstate.after.checkAgain');
      const isOpen = before?.matches('actionRequired') === true || before?.matches('unknown') === true;
      const isBackWhileUnknown = event.type === 'page.returned' && before?.matches('unknown') === true;
      return !mustCheck || !isOpen || isBackWhileUnknown || getPortInput(moment, 'paymentStatus') !== undefined;
    }),
    payment.always('Cancel checks a started payment first, and cancels an unstarted one at once', (moment) => {
      if (moment.event.type !== 'cancel.pressed' || moment.fired.length === 0) return true;
      return moment.before?.matches('unreachable') === true
        ? moment.snapshot.matches('cancelled')
        : getPortInput(moment, 'statusBeforeCancel') !== undefined;
    }),
    payment.always('each check increases the number of checks', ({ before, snapshot }) => {
      const leavesUnknown = before?.matches('unknown') === true && !snapshot.matches('unknown');
      return !leavesUnknown || snapshot.context.checks === before.context.checks + 1;
    }),
    payment.always('a resumed payment is checked first, and a new one starts', (moment) => {
      if (moment.before !== null) return true;
      const order = getInitialOrder(moment);
      const firstPort = order.transId !== null ? 'paymentStatus' : startsWithCard(order) ? 'payByCard' : 'startPayment';
      return getPortInput(moment, firstPort) !== undefined;
    }),
    payment.always('a payment starts with the content of its order', (moment) => {
      const input =
        getPortInput<Order>(moment, 'startPayment') ??
        (moment.before === null ? getPortInput<Order>(moment, 'payByCard') : undefined);
      if (input === undefined) return true;
      const order = moment.before === null ? getInitialOrder(moment) : moment.before.context;
      const orderKeys = [
        'of',
        'titleId',
        'titleIds',
        'planId',
        'price',
        'key',
        'cardId',
        'credits',
        'method',
        'tax',
        'gift',
      ] as const;
      return orderKeys.every((name) => isSameJson(input[name], order[name]));
    }),
    payment.leadsTo('every payment ends, whatever the server answers', {
      after: ({ event }) => event.type === 'xstate.init',
      to: ({ snapshot }) => snapshot.status === 'done',
    }),
  ],
  pressable: {
    'payment.unreachable': ['retry.pressed', 'cancel.pressed'],
    'payment.actionRequired': ['cancel.pressed', 'status.pressed', 'page.returned'],
    'payment.unknown': ['status.pressed'],
  },
  pii: { payment: 'the payment of a gift has its recipient' },
};
