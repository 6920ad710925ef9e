import { isFree } from '../../../machines/model/price.ts';
import type { Card } from '../../../machines/model/card.ts';
import type { checkoutMachine, Quote } from '../../../machines/buying/checkout.ts';
import type { Order, paymentMachine, PaymentOutput, PurchaseState } from '../../../machines/buying/payment.ts';
import { isUnreached, mayHaveHappened, type Problem } from '../../../machines/model/problem.ts';
import { purchasePath, purchaseSuccessPath } from '../../../machines/model/paths.ts';
import { isMissing } from '../../../machines/ports.ts';
import type { PaymentSession } from '../../../machines/model/purchase.ts';
import { answerOf, askedOf, failureOf, rulesFor, toldOf, type MomentOf } from '../../../machines/paths/rules.ts';
import type { MachineRules } from '../../support/rules.ts';

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const payment = rulesFor<typeof paymentMachine>();
type Payment = MomentOf<typeof paymentMachine>;

const statusIn = (moment: Payment): PurchaseState['status'] | null =>
  answerOf<PurchaseState>(moment, 'paymentStatus', 'statusBeforeCancel', 'payByCard')?.status ?? null;

/** The server has said that the title is paid, or granted. */
const isPaid = (moment: Payment): boolean =>
  statusIn(moment) === 'paid' ||
  answerOf<PaymentSession>(moment, 'startPayment')?.url === '' ||
  answerOf(moment, 'confirmPayment') !== undefined;

const isLost = (moment: Payment, ...ports: string[]): boolean => {
  const problem = failureOf(moment, ...ports);
  return problem !== null && mayHaveHappened(problem);
};

/** Where a payment is shown to stand, for each word of the server. */
const standings: Record<PurchaseState['status'], string> = {
  paid: 'succeeded',
  authorized: 'confirming',
  pending: 'actionRequired',
  failed: 'failed',
  cancelled: 'cancelled',
  owned: 'owned',
  none: 'none',
};

/** What a refused beginning or confirmation means. */
const meaningOf = (problem: Problem, refusals: Record<string, string>): string => {
  const meant = problem.kind === 'refused' ? refusals[problem.code] : undefined;
  return meant ?? (mayHaveHappened(problem) || problem.kind === 'unauthorized' ? 'unknown' : 'failed');
};

const isNotFound = (problem: Problem): boolean => isMissing(null, problem);

const paymentRules: MachineRules = {
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
      const asked = askedOf<Order>(moment, 'startPayment');
      if (lost !== null && asked && asked.key !== lost) return { broken: `it is paid again with the key ${String(asked.key)}` };
      return { memory: isLost(moment, 'startPayment') ? (moment.snapshot.context.key ?? '') : lost };
    }),
    payment.never('a charge whose answer is lost is never followed by another one', {
      after: (moment) => isLost(moment, 'confirmPayment', 'payByCard'),
      what: (moment) => askedOf(moment, 'startPayment') !== undefined || askedOf(moment, 'payByCard') !== undefined,
    }),
    payment.always('a card that was kept pays what has just been started, and nothing else', (moment) => {
      const asked = askedOf<Order>(moment, 'payByCard');
      const session = answerOf<PaymentSession>(moment, 'startPayment');
      const pays = session !== undefined && session.url !== '' && moment.before?.context.cardId != null;
      return asked === undefined
        ? !pays
        : pays && asked.transId === session.transId && asked.cardId === moment.before?.context.cardId;
    }),
    payment.onlyAfter('nothing is taken but what a status has just called authorised, once for each', {
      cause: (moment) => statusIn(moment) === 'authorized',
      what: (moment) => askedOf(moment, 'confirmPayment') !== undefined,
      each: true,
    }),
    payment.always('what is taken is the payment that was asked about', (moment) => {
      const asked = askedOf<{ transId: string; intentId: string }>(moment, 'confirmPayment');
      const state = answerOf<PurchaseState>(moment, 'paymentStatus', 'payByCard');
      return asked === undefined || (asked.transId === state?.transId && asked.intentId === state.intentId);
    }),
    payment.never('nothing is taken once the customer has cancelled', {
      after: ({ event, fired }) => event.type === 'cancel.pressed' && fired.length > 0,
      what: (moment) => askedOf(moment, 'confirmPayment') !== undefined,
    }),
    payment.always('nothing is called unpaid when no answer came to the confirmation', (moment) => {
      return !isLost(moment, 'confirmPayment', 'payByCard') || moment.snapshot.matches('unknown');
    }),
    payment.always('to go to the payment page there must be one', (moment) =>
      toldOf(moment, 'leave').every(({ url }) => url !== ''),
    ),
    payment.invariant('a payment tells how it has ended', ({ status, value, output }) => {
      return status !== 'done' || (output as PaymentOutput | undefined)?.outcome === value;
    }),
    payment.invariant('a payment that was declined says why', (snapshot) => {
      return !snapshot.matches('failed') || snapshot.context.problem !== null;
    }),
    payment.always('a shop that cannot be reached has charged nothing, and may be asked again', (moment) => {
      const problem = failureOf(moment, 'startPayment');
      return problem === null || !isUnreached(problem) || moment.snapshot.matches('unreachable');
    }),
    payment.always('a payment stands where the server says that it does', (moment) => {
      const status = statusIn(moment);
      if (status === null) return true;
      const isKept = moment.before?.context.cancels === true && status !== 'paid';
      return moment.snapshot.value === (isKept ? 'cancelled' : standings[status]);
    }),
    payment.always('a payment that does not begin says what that means', (moment) => {
      const problem = failureOf(moment, 'startPayment');
      if (problem === null) return true;
      const refusals = { already_owned: 'owned', price_changed: 'priceChanged' };
      return moment.snapshot.value === (isUnreached(problem) ? 'unreachable' : meaningOf(problem, refusals));
    }),
    payment.always('a confirmation that is refused says what that means', (moment) => {
      const problem = failureOf(moment, 'confirmPayment');
      return problem === null || moment.snapshot.value === meaningOf(problem, { already_owned: 'owned' });
    }),
    payment.always('a card that does not pay says what that means', (moment) => {
      const problem = failureOf(moment, 'payByCard');
      const refusals = { already_owned: 'owned', price_changed: 'priceChanged' };
      return problem === null || moment.snapshot.value === meaningOf(problem, refusals);
    }),
    payment.always('a payment that cannot be asked about stays open', (moment) => {
      const problem = failureOf(moment, 'paymentStatus', 'statusBeforeCancel');
      if (problem === null) return true;
      const isGone = moment.before?.matches('reconciling') === true && isNotFound(problem);
      return moment.snapshot.value === (isGone ? 'notFound' : 'unknown');
    }),
    payment.always('a payment that has begun goes to its page, and Continue goes there again', (moment) => {
      const session = answerOf<PaymentSession>(moment, 'startPayment');
      const { url, transId } = moment.snapshot.context;
      if (session !== undefined && (transId !== session.transId || url !== session.url))
        return 'its number or its page is forgotten';
      const bank = answerOf<PurchaseState>(moment, 'payByCard');
      const isLeft =
        (session !== undefined && session.url !== '' && moment.snapshot.context.cardId === null) ||
        (bank?.status === 'pending' && Boolean(bank.url)) ||
        (moment.event.type === 'continue.pressed' && moment.before?.matches('actionRequired') === true && Boolean(url));
      return same(toldOf(moment, 'leave'), isLeft ? [{ type: 'leave', url }] : []);
    }),
    payment.always('whoever asks where it stands, comes back, or waits, is told', (moment) => {
      const { event, before } = moment;
      const asks = ['status.pressed', 'page.returned'].includes(event.type) || event.type.startsWith('xstate.after.checkAgain');
      const isOpen = before?.matches('actionRequired') === true || before?.matches('unknown') === true;
      const isAway = event.type === 'page.returned' && before?.matches('unknown') === true;
      return !asks || !isOpen || isAway || askedOf(moment, 'paymentStatus') !== undefined;
    }),
    payment.always('Cancel asks whether it is paid, and cancels what has not begun', (moment) => {
      if (moment.event.type !== 'cancel.pressed' || moment.fired.length === 0) return true;
      return moment.before?.matches('unreachable') === true
        ? moment.snapshot.matches('cancelled')
        : askedOf(moment, 'statusBeforeCancel') !== undefined;
    }),
    payment.always('each check in vain makes the next wait longer', ({ before, snapshot }) => {
      const isLeft = before?.matches('unknown') === true && !snapshot.matches('unknown');
      return !isLeft || snapshot.context.checks === before.context.checks + 1;
    }),
    payment.always('what is taken up is asked about first, what is new begins', (moment) => {
      if (moment.before !== null) return true;
      const isTakenUp = moment.snapshot.context.transId !== null;
      return askedOf(moment, isTakenUp ? 'paymentStatus' : 'startPayment') !== undefined;
    }),
    payment.leadsTo('every payment ends, whatever is answered', {
      after: ({ event }) => event.type === 'xstate.init',
      to: ({ snapshot }) => snapshot.status === 'done',
    }),
  ],
};

const checkout = rulesFor<typeof checkoutMachine>();
type Checkout = MomentOf<typeof checkoutMachine>;

const outcomeIn = (moment: Checkout): string | undefined => answerOf<PaymentOutput>(moment, 'payment')?.outcome;
/** A payment that led to nothing leads back to the title and its price. */
const shown: Record<string, string> = { owned: 'quoting', none: 'quoting' };

const isPaying = (moment: Checkout): boolean => askedOf(moment, 'payment') !== undefined;

const checkoutRules: MachineRules = {
  rules: [
    checkout.always(
      'a title that was asked about is offered, unless it is owned, not for sale, or paid for already',
      (moment) => {
        const quote = answerOf<Quote>(moment, 'quote');
        if (quote === undefined) return true;
        const { value, context } = moment.snapshot;
        const isKept = same(
          [context.title, context.price, context.instanceId, context.transId],
          [quote.title, quote.price, quote.instanceId, quote.transId],
        );
        if (value === 'priceChanged') return context.resume !== null || moment.before?.context.resume !== null;
        if (!isKept || context.key !== quote.key) return 'what was quoted is not what is kept';
        if (quote.instanceId !== null) return value === 'owned';
        if (!quote.title.forSale) return value === 'notForSale';
        const goesOn = context.signedIn && (quote.transId !== null || context.resume !== null);
        return value === (goesOn ? 'paying' : context.signedIn && !isFree(quote.title) ? 'readingCards' : 'ready');
      },
    ),
    checkout.always('the first card that is still good is the one that pays, until another is chosen', (moment) => {
      const { context, value } = moment.snapshot;
      const all = answerOf<Card[]>(moment, 'keptCards');
      if (all !== undefined) {
        const good = all.filter(({ isExpired }) => !isExpired);
        return value === 'ready' && same(context.cards, good) && context.cardId === (good[0]?.id ?? null);
      }
      if (failureOf(moment, 'keptCards') !== null) return value === 'ready' && context.cards.length === 0;
      const { event, before } = moment;
      if (event.type !== 'card.chosen' || before?.matches('ready') !== true) return true;
      const isOffered = event.cardId === null || before.context.cards.some(({ id }) => id === event.cardId);
      const isChosen = before.context.cards.length > 0 && isOffered;
      return context.cardId === (isChosen ? event.cardId : before.context.cardId);
    }),
    checkout.always('the payment is by the card that is chosen', (moment) => {
      const asked = askedOf<Order>(moment, 'payment');
      return asked === undefined || asked.cardId === moment.snapshot.context.cardId;
    }),
    checkout.always('a title that cannot be asked about is said to be missing, or not to be had now', (moment) => {
      const problem = failureOf(moment, 'quote');
      return problem === null || moment.snapshot.value === (isNotFound(problem) ? 'notFound' : 'unavailable');
    }),
    checkout.always('to try again is a new purchase of the same title', (moment) => {
      const { event, before, snapshot } = moment;
      if (event.type !== 'retry.pressed' || moment.fired.length === 0) return true;
      const to = purchasePath(snapshot.context.titleId);
      const isNamed = before?.matches('unavailable') === true || toldOf(moment, 'go').some((told) => told['to'] === to);
      return isNamed && askedOf(moment, 'quote') !== undefined && snapshot.matches('quoting');
    }),
    checkout.always('whoever presses Pay pays, or signs in', (moment) => {
      if (moment.event.type !== 'pay.pressed' || moment.before?.matches('ready') !== true) return true;
      return moment.before.context.signedIn === isPaying(moment);
    }),
    checkout.always('the payment’s page is gone to, and a customer who comes back from it is heard', (moment) => {
      const { event, before, effects } = moment;
      if (!['leave', 'page.returned'].includes(event.type) || before?.matches('paying') !== true) return true;
      return effects.some((effect) => effect.kind === 'send' && effect.event.type === event.type);
    }),
    checkout.always('Open leads to the customer’s own copy', (moment) => {
      const isRead = moment.event.type === 'read.pressed' && moment.before?.matches('owned') === true;
      return !isRead || toldOf(moment, 'go').length === 1;
    }),
    checkout.onlyAfter('the success page comes only when a payment has succeeded', {
      cause: (moment) => outcomeIn(moment) === 'succeeded',
      what: ({ snapshot }) => snapshot.matches('succeeded'),
    }),
    checkout.always('a payment is shown as what it has ended as', (moment) => {
      const outcome = outcomeIn(moment);
      return outcome === undefined || moment.snapshot.value === (shown[outcome] ?? outcome);
    }),
    checkout.always('the success page is that of the payment', (moment) => {
      if (outcomeIn(moment) !== 'succeeded') return true;
      const to = purchaseSuccessPath(answerOf<PaymentOutput>(moment, 'payment')?.transId ?? '');
      return toldOf(moment, 'go').some((told) => told['to'] === to);
    }),
    checkout.always('nobody pays without a press, before sign-in or now', (moment) => {
      const { before, event, snapshot } = moment;
      if (!isPaying(moment) || event.type === 'pay.pressed' || snapshot.context.transId !== null) return true;
      const { price } = snapshot.context;
      return before?.context.resume === `pay-${String(price?.amount)}-${String(price?.currency)}`;
    }),
    checkout.always('only a customer pays', (moment) => !isPaying(moment) || moment.snapshot.context.signedIn),
    checkout.always('nothing is paid that is owned, or not for sale', (moment) => {
      const { instanceId, title } = moment.snapshot.context;
      return !isPaying(moment) || (instanceId === null && title?.forSale !== false);
    }),
    checkout.always('a visitor who presses Pay is led to sign in, and back to this price', (moment) => {
      const { event, before } = moment;
      if (event.type !== 'pay.pressed' || before?.context.signedIn !== false || !before.matches('ready')) return true;
      const { price } = before.context;
      return toldOf(moment, 'signIn.needed').some(
        ({ action }) => action === `pay-${String(price?.amount)}-${String(price?.currency)}`,
      );
    }),
    checkout.invariant('whoever tries again after an end begins a new purchase', ({ value, context }) => {
      return !['failed', 'cancelled', 'priceChanged'].includes(value) || (context.key === null && context.transId === null);
    }),
    checkout.always('a purchase that has ended is forgotten', (moment) => {
      const { snapshot } = moment;
      const ids = { succeeded: 'forgetPaid', failed: 'forgetFailed', cancelled: 'forgetCancelled' } as const;
      const id = ids[snapshot.value as keyof typeof ids];
      if (id === undefined || moment.before?.value === snapshot.value) return true;
      return askedOf<{ titleId: string }>(moment, id)?.titleId === snapshot.context.titleId;
    }),
    checkout.always('who pays is in the middle of something, and nobody else is', (moment) => {
      const [pays, paid] = [moment.snapshot.matches('paying'), moment.before?.matches('paying') === true];
      const [begun, ended] = [toldOf(moment, 'action.begun').length, toldOf(moment, 'action.ended').length];
      return begun === (pays && !paid ? 1 : 0) && ended === (paid && !pays ? 1 : 0);
    }),
    checkout.leadsTo('a title that is asked for is shown, or a word why not', {
      after: (moment) => askedOf(moment, 'quote') !== undefined,
      to: ({ snapshot }) => !snapshot.matches('quoting'),
    }),
    checkout.leadsTo('who presses Pay comes to an end', {
      after: isPaying,
      to: ({ snapshot }) => !snapshot.matches('paying'),
    }),
  ],
  pii: { 'checkout.ready': 'a card is chosen by its kind and its last digits' },
  ledOn: {
    'checkout.notFound': 'the link “Back to the shop”',
    'checkout.succeeded': 'the app shows the success page, as it was told to',
  },
};

export const rules: Record<string, MachineRules> = { checkout: checkoutRules, payment: paymentRules };
