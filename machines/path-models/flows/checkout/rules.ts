import { isFree } from '../../../model/price.ts';
import type { checkoutMachine, NewPrice, Quote } from '../../../buying/checkout.ts';
import type { Order, PaymentOutput } from '../../../buying/payment.ts';
import type { TaxInput } from '../../../buying/tax.ts';
import { purchasePath } from '../../../model/paths.ts';
import { answerOf, askedOf, failureOf, rulesFor, toldOf, type MomentOf } from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { wayRules } from '../../way-rules.ts';
import { taxRules } from './tax-rules.ts';
import { isNotFound, paymentRules, same } from './payment-rules.ts';

const checkout = rulesFor<typeof checkoutMachine>();
type Checkout = MomentOf<typeof checkoutMachine>;

const outcomeIn = (moment: Checkout): string | undefined => answerOf<PaymentOutput>(moment, 'payment')?.outcome;
/** A payment that led to nothing leads back to the title and its price. */
const shown: Record<string, string> = { owned: 'quoting', none: 'quoting' };

const isTaxed = ({ addsTax, title }: Checkout['snapshot']['context']): boolean =>
  addsTax === true && title !== null && !isFree(title);

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
        const pays = goesOn && (quote.transId !== null || !isTaxed(context));
        return value === (pays ? 'paying' : context.signedIn && !isFree(quote.title) ? 'readingCards' : 'ready');
      },
    ),
    ...wayRules({ shown: 'ready' }),
    checkout.always('credits are chosen by a press alone, where the store takes them and there are enough', (moment) => {
      const { event, before, snapshot } = moment;
      if (snapshot.context.withCredits !== true || before?.context.withCredits === true) return true;
      const { credits = Infinity, balance } = before?.context ?? {};
      return event.type === 'credits.chosen' && balance?.accepted === true && balance.balance >= credits;
    }),
    // Kept in mind, so that it is also paid from where they are chosen, which is otherwise the like of where they are not.
    checkout.remembering('credits pay where they are chosen, and nowhere else', false, (_: boolean, moment) => {
      const { withCredits = false, credits, balance } = moment.snapshot.context;
      const asked = askedOf<Order>(moment, 'payment');
      const inCredits = withCredits ? { amount: credits, currency: balance?.currency ?? '' } : undefined;
      const isRight = asked === undefined || (same(asked.credits, inCredits) && (!withCredits || asked.cardId === null));
      return isRight ? { memory: withCredits } : { broken: `the payment is asked for ${JSON.stringify(asked.credits)}` };
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
      const { signedIn, withCredits, tax } = moment.before.context;
      const isPriced = withCredits === true || !isTaxed(moment.before.context) || Boolean(tax);
      return (signedIn && isPriced) === isPaying(moment);
    }),
    checkout.always('what is paid with money is paid with the tax that is shown', (moment) => {
      const asked = askedOf<Order>(moment, 'payment');
      if (asked === undefined || asked.transId !== null || asked.credits !== undefined) return true;
      const { context } = moment.snapshot;
      return isTaxed(context) ? asked.tax !== undefined && same(asked.tax, context.tax) : asked.tax === undefined;
    }),
    checkout.always('tax is asked for the price that is shown, where the store adds it', (moment) => {
      const asked = askedOf<TaxInput>(moment, 'tax');
      if (asked === undefined) return true;
      const { context } = moment.snapshot;
      return same(asked.price, context.price) && asked.isDue === (context.signedIn && isTaxed(context));
    }),
    checkout.always('a price that is no longer so is not paid', (moment) => {
      if (moment.event.type !== 'tax.outdated' || moment.before?.matches('ready') !== true) return true;
      return moment.snapshot.matches('priceChanged');
    }),
    checkout.always('a code that is taken changes the price, one that is refused leaves it and says why', (moment) => {
      const { snapshot, before } = moment;
      const [given, problem] = [answerOf<NewPrice>(moment, 'applyCode'), failureOf(moment, 'applyCode')];
      const { price, key, isReduced, codeProblem } = snapshot.context;
      if (given !== undefined) return isReduced === true && same([price, key], [given.price, given.key]);
      if (problem !== null) return same(price, before?.context.price) && same(codeProblem, problem) && isReduced !== true;
      return true;
    }),
    checkout.always('a code that is taken back leaves the usual price', (moment) => {
      const given = answerOf<NewPrice>(moment, 'removeCode');
      if (given === undefined) return true;
      const { price, key, isReduced } = moment.snapshot.context;
      return isReduced === false && same([price, key], [given.price, given.key]);
    }),
    checkout.always('the tax of one price is none of another', (moment) => {
      const isOther = !same(moment.before?.context.price ?? null, moment.snapshot.context.price);
      return !isOther || !moment.snapshot.matches('ready') || !moment.snapshot.context.tax;
    }),
    checkout.leadsTo('a code that is typed is answered', {
      after: (moment) => askedOf(moment, 'applyCode') !== undefined,
      to: ({ snapshot }) => !snapshot.matches('applying'),
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
    checkout.always('the success page is that of what was paid for', (moment) => {
      const ended = answerOf<PaymentOutput>(moment, 'payment');
      if (ended?.outcome !== 'succeeded') return true;
      const { transId, paidFor = 'title' } = ended;
      const of = paidFor.startsWith('cart') ? 'cart' : 'title';
      const to = `/${of}/purchase/success?transId=${transId ?? ''}${paidFor.toLowerCase().includes('gift') ? '&isgift=true' : ''}`;
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
      if (isTaxed(before.context) || before.context.method)
        return toldOf(moment, 'signIn.needed').some(({ action }) => action === 'choose');
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
  pii: {
    'checkout.ready': 'a card is chosen by its kind and its last digits',
    'checkout.applying': 'the code is looked up, and the cards are chosen from a moment later',
    'checkout.removing': 'the cards are chosen from a moment later',
    'checkout.readingCredits': 'the cards are chosen from a moment later',
  },
  ledOn: {
    'checkout.notFound': 'the link “Back to the shop”',
    'checkout.succeeded': 'the app shows the success page, as it was told to',
  },
};

export const rules: Record<string, MachineRules> = { checkout: checkoutRules, payment: paymentRules, tax: taxRules };
