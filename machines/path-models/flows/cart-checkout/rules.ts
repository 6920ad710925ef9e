import { cartCheckoutPath, cartPath, cartSuccessPath } from '../../../model/paths.ts';
import type { cartCheckoutMachine, CartOrder } from '../../../buying/cart-checkout.ts';
import type { Order, PaymentOutput } from '../../../buying/payment.ts';
import { payableIds } from '../../../model/cart.ts';
import { answerOf, askedOf, failureOf, rulesFor, toldOf, type MomentOf } from '../../../paths/rules.ts';
import { sentFormRules } from '../../form-rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { wayRules } from '../../way-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof cartCheckoutMachine>();
type Moment = MomentOf<typeof cartCheckoutMachine>;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const outcomeIn = (moment: Moment): string | undefined => answerOf<PaymentOutput>(moment, 'payment')?.outcome;

/** What a payment that has ended is shown as, where that is not its own name. */
const shown: Record<string, string> = { priceChanged: 'changed', owned: 'changed', none: 'quoting' };

const waysIn = (context: Moment['snapshot']['context'] | undefined): unknown => [
  context?.cards,
  context?.cardId,
  context?.methods,
  context?.method,
];

const isPaying = (moment: Moment): boolean => askedOf(moment, 'payment') !== undefined;

const goesTo = (moment: Moment, to: string): boolean => toldOf(moment, 'go').some((told) => told['to'] === to);

export const rules: Record<string, MachineRules> = {
  cartCheckout: {
    rules: [
      always('a cart with something to pay for is offered; an unfinished payment of it is taken up', (moment) => {
        const order = answerOf<CartOrder>(moment, 'cartOrder');
        if (order === undefined) return true;
        const { value, context } = moment.snapshot;
        const isKept = same([context.quote, context.key, context.transId], [order.quote, order.key, order.transId]);
        if (!isKept) return 'what was quoted is not what is kept';
        if (order.quote.total === null) return value === 'empty';
        return value === (order.transId === null ? 'readingCards' : 'paying');
      }),
      ...sentFormRules({ event: 'code', port: 'applyCode', asking: 'ready', sending: 'applying' }),
      always('what a code leaves is shown, and what is without it; which way pays stays', (moment) => {
        const order = answerOf<CartOrder>(moment, 'applyCode') ?? answerOf<CartOrder>(moment, 'removeCode');
        if (order === undefined) return true;
        const { value, context } = moment.snapshot;
        if (!same([context.quote, context.key], [order.quote, order.key])) return false;
        if (order.quote.total === null) return value === 'empty';
        return value === 'ready' && same(waysIn(context), waysIn(moment.before?.context));
      }),
      always('a code that takes nothing off leaves the cart as it was, and so does one that cannot be taken away', (moment) => {
        const problem = failureOf(moment, 'applyCode') ?? failureOf(moment, 'removeCode');
        if (problem === null) return true;
        const { value, context } = moment.snapshot;
        return value === 'ready' && same(context.quote, moment.before?.context.quote) && same(context.problem, problem);
      }),
      always('a code is taken away where there is one', (moment) => {
        const { event, before } = moment;
        if (event.type !== 'code.removed' || before?.matches('ready') !== true)
          return askedOf(moment, 'removeCode') === undefined;
        return (before.context.quote?.off !== undefined) === (askedOf(moment, 'removeCode') !== undefined);
      }),
      invariant('a code that was typed is kept no longer than until it is looked up', ({ value, context }) => {
        return (value === 'applying') === (context.pii.form !== null);
      }),
      ...wayRules({ shown: 'ready' }),
      always('what is paid is what is shown: these titles, this price, this card', (moment) => {
        const asked = askedOf<Order>(moment, 'payment');
        if (asked === undefined) return true;
        const { quote, cardId, key, transId } = moment.snapshot.context;
        const titleIds = quote === null ? [] : payableIds(quote);
        return same(
          [asked.titleIds, asked.price, asked.cardId, asked.key, asked.transId],
          [titleIds, quote?.total ?? null, cardId, key, transId],
        );
      }),
      always('nobody pays without a press; what is taken up is only asked about', (moment) => {
        return !isPaying(moment) || moment.event.type === 'pay.pressed' || moment.snapshot.context.transId !== null;
      }),
      always('a press on Pay pays', (moment) => {
        if (moment.event.type !== 'pay.pressed' || moment.before?.matches('ready') !== true) return true;
        const { addsTax, tax } = moment.before.context;
        return isPaying(moment) === (addsTax !== true || Boolean(tax));
      }),
      always('what is paid is paid with the tax that is shown', (moment) => {
        const asked = askedOf<Order>(moment, 'payment');
        if (asked === undefined || asked.transId !== null) return true;
        const { addsTax, tax } = moment.snapshot.context;
        return addsTax === true ? asked.tax !== undefined && same(asked.tax, tax) : asked.tax === undefined;
      }),
      always('a price that is no longer so is not paid', (moment) => {
        if (moment.event.type !== 'tax.outdated' || moment.before?.matches('ready') !== true) return true;
        return moment.snapshot.matches('changed');
      }),
      always('nothing is paid where there is nothing to pay', (moment) => {
        const { quote, transId } = moment.snapshot.context;
        return !isPaying(moment) || transId !== null || quote?.total != null;
      }),
      always('the payment’s page is gone to, and a customer who comes back from it is heard', (moment) => {
        const { event, before, effects } = moment;
        if (!['leave', 'page.returned'].includes(event.type) || before?.matches('paying') !== true) return true;
        return effects.some((effect) => effect.kind === 'send' && effect.event.type === event.type);
      }),
      onlyAfter('the success page comes only when a payment has succeeded', {
        cause: (moment) => outcomeIn(moment) === 'succeeded',
        what: ({ snapshot }) => snapshot.matches('succeeded'),
      }),
      always('a payment is shown as what it has ended as', (moment) => {
        const outcome = outcomeIn(moment);
        return outcome === undefined || moment.snapshot.value === (shown[outcome] ?? outcome);
      }),
      always('the success page is that of the payment', (moment) => {
        if (outcomeIn(moment) !== 'succeeded') return true;
        return goesTo(moment, cartSuccessPath(answerOf<PaymentOutput>(moment, 'payment')?.transId ?? ''));
      }),
      always('why a payment has failed is said', (moment) => {
        if (outcomeIn(moment) !== 'failed') return true;
        return same(moment.snapshot.context.problem, answerOf<PaymentOutput>(moment, 'payment')?.problem);
      }),
      always('a cart that cannot be asked about is not to be had now', (moment) => {
        return failureOf(moment, 'cartOrder') === null || moment.snapshot.matches('unavailable');
      }),
      always('to try again is a new payment of the cart as it is then', (moment) => {
        const { event, before, snapshot } = moment;
        if (event.type !== 'retry.pressed' || moment.fired.length === 0) return true;
        const isNamed = before?.matches('unavailable') === true || goesTo(moment, cartCheckoutPath);
        return isNamed && askedOf(moment, 'cartOrder') !== undefined && snapshot.matches('quoting');
      }),
      always('Back leads to the cart', (moment) => {
        const isBack = moment.event.type === 'cancel.pressed' && moment.before?.matches('ready') === true;
        return !isBack || goesTo(moment, cartPath);
      }),
      invariant('whoever tries again after an end begins a new payment', ({ value, context }) => {
        const isOver = ['failed', 'cancelled', 'changed', 'notFound'].includes(value);
        return !isOver || (context.key === null && context.transId === null);
      }),
      always('a payment that has ended is forgotten', (moment) => {
        const ids = {
          succeeded: 'forgetPaid',
          failed: 'forgetFailed',
          cancelled: 'forgetCancelled',
          changed: 'forgetChanged',
          notFound: 'forgetUnknown',
        } as const;
        const id = ids[moment.snapshot.value as keyof typeof ids];
        if (id === undefined || moment.before?.value === moment.snapshot.value) return true;
        return moment.effects.some((effect) => effect.kind === 'start' && effect.id === id);
      }),
      leadsTo('a cart that is asked for is shown, or a word why not', {
        after: (moment) => askedOf(moment, 'cartOrder') !== undefined,
        to: ({ snapshot }) => !snapshot.matches('quoting'),
      }),
      leadsTo('who presses Pay comes to an end', { after: isPaying, to: ({ snapshot }) => !snapshot.matches('paying') }),
    ],
    pii: {
      'cartCheckout.ready': 'a card is chosen by its kind and its last digits',
      'cartCheckout.applying': 'the code is on its way to the server; the cards stand below it',
      'cartCheckout.removing': 'the cards stand below',
    },
    ledOn: {
      'cartCheckout.succeeded': 'the app shows the success page, as it was told to',
    },
  },
};
