import type { paymentMachine } from '../../../buying/payment.ts';
import type { Order, PurchaseState } from '../../../buying/payment-setup.ts';
import { isUnreachable, isOutcomeUnknown, type Problem } from '../../../model/problem.ts';
import { isMissing } from '../../../ports.ts';
import type { PaidFor, PaymentSession } from '../../../model/buying/purchase.ts';
import {
  getPortOutput,
  getPortInput,
  getPortProblem,
  rulesFor,
  isSame,
  getSentEvents,
  type MomentOf,
} from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';

const payment = rulesFor<typeof paymentMachine>();
type Payment = MomentOf<typeof paymentMachine>;

const getStatus = (moment: Payment): PurchaseState['status'] | null =>
  getPortOutput<PurchaseState>(moment, 'paymentStatus', 'statusBeforeCancel', 'payByCard')?.status ?? null;

/** The server has confirmed that the title is paid or granted. */
const isPaid = (moment: Payment): boolean =>
  getStatus(moment) === 'paid' ||
  getPortOutput<PaymentSession>(moment, 'startPayment')?.url === '' ||
  getPortOutput(moment, 'confirmPayment') !== undefined;

const isLostCall = (moment: Payment, ...ports: string[]): boolean => {
  const problem = getPortProblem(moment, ...ports);
  return problem !== null && isOutcomeUnknown(problem);
};

/** The payment state for each status of the server. */
const outcomeByStatus: Record<PurchaseState['status'], string> = {
  paid: 'succeeded',
  authorized: 'confirming',
  pending: 'actionRequired',
  failed: 'failed',
  cancelled: 'cancelled',
  owned: 'owned',
  none: 'none',
};

/** An owned title was granted before; at another price nothing is charged. */
const outcomeByCode: Record<string, string> = {
  already_owned: 'owned',
  already_subscribed: 'owned',
  price_changed: 'priceChanged',
};

/** The state for a refused start or confirmation. */
const getExpectedOutcome = (problem: Problem): string => {
  const meant = problem.kind === 'refused' ? outcomeByCode[problem.code] : undefined;
  return meant ?? (isOutcomeUnknown(problem) || problem.kind === 'unauthorized' ? 'unknown' : 'failed');
};

/** A stored card starts a plan in one call. */
const startsByCard = ({ of, cardId, transId }: Order): boolean => of === 'subscription' && cardId !== null && transId === null;

/** The payment's order, from its start event. */
const getInput = ({ event }: Payment): Order => event['input'] as Order;

export const isNotFound = (problem: Problem): boolean => isMissing(null, problem);

export const paymentRules: MachineRules = {
  rules: [
    payment.onlyAfter('a payment has succeeded only when the server has said so', {
      cause: isPaid,
      what: ({ snapshot }) => snapshot.matches('succeeded'),
    }),
    payment.never('what is paid is never shown as anything else', {
      after: isPaid,
      what: ({ snapshot }) => snapshot.status === 'done' && !snapshot.matches('succeeded'),
    }),
    payment.invariant('there are never two payments under way', ({ children }) => {
      const running = Object.keys(children);
      return running.length < 2 || running.join(' and ');
    }),
    payment.remembering('a lost answer is never followed by a second charge', null, (lost: string | null, moment) => {
      const asked = getPortInput<Order>(moment, 'startPayment');
      if (lost !== null && asked && asked.key !== lost) return { broken: `it is paid again with the key ${String(asked.key)}` };
      return { memory: isLostCall(moment, 'startPayment') ? (moment.snapshot.context.key ?? '') : lost };
    }),
    payment.never('a charge whose answer is lost is never followed by another one', {
      after: (moment) => isLostCall(moment, 'confirmPayment', 'payByCard'),
      what: (moment) => getPortInput(moment, 'startPayment') !== undefined || getPortInput(moment, 'payByCard') !== undefined,
    }),
    payment.always('a card that was kept pays what has just been started, and nothing else', (moment) => {
      const asked = getPortInput<Order>(moment, 'payByCard');
      const { before, snapshot } = moment;
      if (startsByCard(snapshot.context) && before === null) return asked?.cardId === getInput(moment).cardId;
      const session = getPortOutput<PaymentSession>(moment, 'startPayment');
      const pays = session !== undefined && session.url !== '' && before?.context.cardId != null;
      return asked === undefined ? !pays : pays && asked.transId === session.transId && asked.cardId === before?.context.cardId;
    }),
    payment.onlyAfter('nothing is taken but what a status has just called authorised, once for each', {
      cause: (moment) => getStatus(moment) === 'authorized',
      what: (moment) => getPortInput(moment, 'confirmPayment') !== undefined,
      each: true,
    }),
    payment.always('what is taken is the payment that was asked about', (moment) => {
      const asked = getPortInput<{ transId: string; intentId: string }>(moment, 'confirmPayment');
      const state = getPortOutput<PurchaseState>(moment, 'paymentStatus', 'payByCard');
      return asked === undefined || (asked.transId === state?.transId && asked.intentId === state.intentId);
    }),
    payment.never('nothing is taken once the customer has cancelled', {
      after: ({ event, fired }) => event.type === 'cancel.pressed' && fired.length > 0,
      what: (moment) => getPortInput(moment, 'confirmPayment') !== undefined,
    }),
    payment.always('nothing is called unpaid when no answer came to the confirmation', (moment) => {
      return !isLostCall(moment, 'confirmPayment', 'payByCard') || moment.snapshot.matches('unknown');
    }),
    payment.never('an unanswered confirmation is unknown, and never shown as refused before the server has said so', {
      after: (moment) => isLostCall(moment, 'confirmPayment'),
      until: (moment) => getStatus(moment) !== null || getPortProblem(moment, 'paymentStatus') !== null,
      what: ({ snapshot }) => !['unknown', 'reconciling'].includes(snapshot.value),
    }),
    {
      kind: 'ways',
      name: 'an unknown payment is asked about by itself after its delay',
      check: (snapshot, ways) =>
        snapshot.value !== 'unknown' ||
        ways.some(({ event, fired, to }) => {
          return event.type.startsWith('xstate.after.checkAgain') && fired.length > 0 && to.snapshot.value === 'reconciling';
        }),
    },
    payment.always('the wait before an unknown payment is asked about is 3 s, doubled each time, at most a minute', (moment) => {
      if (!moment.snapshot.matches('unknown') || moment.before?.matches('unknown') === true) return true;
      const waits = moment.effects.flatMap((effect) =>
        effect.kind === 'send' && effect.delay !== undefined ? [effect.delay] : [],
      );
      return isSame(waits, [Math.min(3000 * 2 ** moment.snapshot.context.checks, 60_000)]);
    }),
    payment.always('to go to the payment page there must be one', (moment) =>
      getSentEvents(moment, 'leave').every(({ url }) => url !== ''),
    ),
    payment.invariant('a payment tells how it has ended, and which one it is', ({ status, value, output, context }) => {
      const { titleId, transId, problem, paidFor } = context;
      return status !== 'done' || isSame(output as unknown, { outcome: value, titleId, transId, problem, paidFor });
    }),
    payment.always('before anything is answered, a payment knows its order alone', ({ before, snapshot: { context } }) => {
      const { url, status, paidFor, cancels, checks, problem, outcome } = context;
      const isNew = isSame([url, status, paidFor, cancels, checks, problem, outcome], [null, null, null, false, 0, null, 'none']);
      return before !== null || isNew;
    }),
    payment.always('a payment is the one that the server names, where it names one, and for what it says', (moment) => {
      const state = getPortOutput<PurchaseState>(moment, 'paymentStatus', 'statusBeforeCancel', 'payByCard');
      if (state === undefined || moment.before === null) return true;
      const { transId, titleId, paidFor } = moment.before.context;
      const { context } = moment.snapshot;
      const named = [state.transId || transId, state.titleId || titleId, state.paidFor ?? paidFor];
      return isSame([context.transId, context.titleId, context.paidFor], named);
    }),
    payment.always('a payment that was declined says why, in the words of the gateway; another one has no failure', (moment) => {
      const state = getPortOutput<PurchaseState>(moment, 'paymentStatus', 'statusBeforeCancel', 'payByCard');
      if (state === undefined) return true;
      const declined = { kind: 'refused', code: 'declined', message: state.reason ?? '' };
      return isSame(moment.snapshot.context.problem, state.status === 'failed' ? declined : null);
    }),
    payment.always('what is taken is taken for what the payment was made for', (moment) => {
      const asked = getPortInput<{ of: PaidFor }>(moment, 'confirmPayment');
      const { of, paidFor } = moment.snapshot.context;
      return asked === undefined || asked.of === (paidFor ?? of);
    }),
    payment.always('a payment that has a page waits for it; one without a page has granted what is free', (moment) => {
      const session = getPortOutput<PaymentSession>(moment, 'startPayment');
      if (session === undefined) return true;
      const { value, context } = moment.snapshot;
      return value === (session.url === '' ? 'succeeded' : context.cardId !== null ? 'charging' : 'actionRequired');
    }),
    payment.always(
      'a shop that cannot be reached has charged nothing, and may be asked again; where credits may be gone, that is asked',
      (moment) => {
        const problem = getPortProblem(moment, 'startPayment');
        const { credits } = moment.snapshot.context;
        if (problem === null || !isUnreachable(problem)) return true;
        return moment.snapshot.matches(credits === null ? 'unreachable' : 'unknown');
      },
    ),
    payment.always('a payment stands where the server says that it does', (moment) => {
      const status = getStatus(moment);
      if (status === null) return true;
      const isKept = moment.before?.context.cancels === true && status !== 'paid';
      return moment.snapshot.value === (isKept ? 'cancelled' : outcomeByStatus[status]);
    }),
    payment.always('a payment that does not begin says what that means', (moment) => {
      const problem = getPortProblem(moment, 'startPayment');
      if (problem === null) return true;
      const isUntaken = isUnreachable(problem) && moment.snapshot.context.credits === null;
      return moment.snapshot.value === (isUntaken ? 'unreachable' : getExpectedOutcome(problem));
    }),
    payment.always('a confirmation that is refused says what that means', (moment) => {
      const problem = getPortProblem(moment, 'confirmPayment');
      return problem === null || moment.snapshot.value === getExpectedOutcome(problem);
    }),
    payment.always('a card that does not pay says what that means', (moment) => {
      const problem = getPortProblem(moment, 'payByCard');
      return problem === null || moment.snapshot.value === getExpectedOutcome(problem);
    }),
    payment.always('a payment that cannot be asked about stays open', (moment) => {
      const problem = getPortProblem(moment, 'paymentStatus', 'statusBeforeCancel');
      if (problem === null) return true;
      const isGone = moment.before?.matches('reconciling') === true && isNotFound(problem);
      return moment.snapshot.value === (isGone ? 'notFound' : 'unknown');
    }),
    payment.always('a payment that has begun goes to its page, and Continue goes there again', (moment) => {
      const session = getPortOutput<PaymentSession>(moment, 'startPayment');
      const { url, transId } = moment.snapshot.context;
      if (session !== undefined && (transId !== session.transId || url !== session.url))
        return 'its number or its page is forgotten';
      const bank = getPortOutput<PurchaseState>(moment, 'payByCard');
      const isLeft =
        (session !== undefined && session.url !== '' && moment.snapshot.context.cardId === null) ||
        (bank?.status === 'pending' && Boolean(bank.url)) ||
        (moment.event.type === 'continue.pressed' && moment.before?.matches('actionRequired') === true && Boolean(url));
      return isSame(getSentEvents(moment, 'leave'), isLeft ? [{ type: 'leave', url }] : []);
    }),
    payment.always('whoever asks where it stands, comes back, or waits, is told', (moment) => {
      const { event, before } = moment;
      const asks = ['status.pressed', 'page.returned'].includes(event.type) || event.type.startsWith('xstate.after.checkAgain');
      const isOpen = before?.matches('actionRequired') === true || before?.matches('unknown') === true;
      const isAway = event.type === 'page.returned' && before?.matches('unknown') === true;
      return !asks || !isOpen || isAway || getPortInput(moment, 'paymentStatus') !== undefined;
    }),
    payment.always('Cancel asks whether it is paid, and cancels what has not begun', (moment) => {
      if (moment.event.type !== 'cancel.pressed' || moment.fired.length === 0) return true;
      return moment.before?.matches('unreachable') === true
        ? moment.snapshot.matches('cancelled')
        : getPortInput(moment, 'statusBeforeCancel') !== undefined;
    }),
    payment.always('each check in vain makes the next wait longer', ({ before, snapshot }) => {
      const isLeft = before?.matches('unknown') === true && !snapshot.matches('unknown');
      return !isLeft || snapshot.context.checks === before.context.checks + 1;
    }),
    payment.always('what is taken up is asked about first, what is new begins', (moment) => {
      if (moment.before !== null) return true;
      const order = getInput(moment);
      const first = order.transId !== null ? 'paymentStatus' : startsByCard(order) ? 'payByCard' : 'startPayment';
      return getPortInput(moment, first) !== undefined;
    }),
    payment.always('what is begun is what was ordered', (moment) => {
      const asked =
        getPortInput<Order>(moment, 'startPayment') ??
        (moment.before === null ? getPortInput<Order>(moment, 'payByCard') : undefined);
      if (asked === undefined) return true;
      const order = moment.before === null ? getInput(moment) : moment.before.context;
      const names = [
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
      return names.every((name) => isSame(asked[name], order[name]));
    }),
    payment.leadsTo('every payment ends, whatever is answered', {
      after: ({ event }) => event.type === 'xstate.init',
      to: ({ snapshot }) => snapshot.status === 'done',
    }),
  ],
  pressable: {
    'payment.unreachable': ['retry.pressed', 'cancel.pressed'],
    'payment.actionRequired': ['cancel.pressed', 'status.pressed', 'page.returned'],
    'payment.unknown': ['status.pressed'],
  },
  pii: { payment: 'the recipient of a gift goes along with the payment' },
};
