import { isFreeTitle } from '../../../buying/purchase/context.ts';
import { isGift, isCartPurchase, type Offer, type OfferRequest } from '../../../buying/purchase/offer.ts';
import type { purchaseMachine } from '../../../buying/purchase/purchase.ts';
import type { Order, PaymentOutcome, PaymentOutput } from '../../../buying/payment-setup.ts';
import type { TaxInput } from '../../../buying/tax.ts';
import { getPayableIds } from '../../../model/buying/cart.ts';
import { isFree } from '../../../model/catalogue/price.ts';
import type { PaidFor } from '../../../model/buying/purchase.ts';
import {
  getPortOutput,
  getPortInput,
  getPortProblem,
  rulesFor,
  isSame,
  getSentEvents,
  type MomentOf,
  type Rule,
} from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { beginRules } from './begin-rules.ts';
import { codeRules } from './code-rules.ts';
import { giftRules, isFormProblem } from './gift-rules.ts';
import { isNotFound, paymentRules } from './payment-rules.ts';
import { taxRules } from './tax-rules.ts';
import { paymentOptionRules } from './payment-option-rules.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof purchaseMachine>();
type Moment = MomentOf<typeof purchaseMachine>;
type Context = Moment['snapshot']['context'];

const getPaymentOutput = (moment: Moment): PaymentOutput | undefined => getPortOutput<PaymentOutput>(moment, 'payment');

/** It costs money, and the store adds tax to that. */
const isTaxed = ({ addsTax, title, cart }: Context): boolean =>
  addsTax && (cart === null ? title !== null && !isFree(title) : cart.total !== null);

const isPaying = (moment: Moment): boolean => getPortInput(moment, 'payment') !== undefined;

/** Whether a payable price is known: credits are not taxed. */
const isPriced = (context: Context): boolean => context.withCredits || !isTaxed(context) || context.tax !== null;

const getPayAction = (context: Context): string => {
  const { of, price, withCredits, method } = context;
  if (of !== 'title' || withCredits || isTaxed(context) || method !== null) return 'choose';
  return price === null ? 'pay' : `pay-${price.amount}-${price.currency}`;
};

const getStartPath = ({ of, titleId, planId }: Context): string =>
  ({
    title: `/title/purchase${titleId === '' ? '' : `?titleid=${titleId}`}`,
    cart: '/cart/checkout',
    gift: `/title/gift${titleId === '' ? '' : `?titleid=${titleId}`}`,
    cartGift: '/cart/gift',
    subscription: `/subscription/purchase${planId === '' ? '' : `?planid=${planId}`}`,
  })[of];

const returnsToStart = (moment: Moment): boolean =>
  isSame(
    getSentEvents(moment, 'go').map(({ to, replace }) => [to, replace]),
    [[getStartPath(moment.snapshot.context), true]],
  );

const getSuccessPath = (of: PaidFor, transId: string): string =>
  ({
    title: `/title/purchase/success?transId=${transId}`,
    cart: `/cart/purchase/success?transId=${transId}`,
    gift: `/title/purchase/success?transId=${transId}&isgift=true`,
    cartGift: `/cart/purchase/success?transId=${transId}&isgift=true`,
    subscription: '/subscription/purchase/success',
  })[of];

const isForSale = ({ of, isSold }: Context, { title, cart, plan }: Offer): boolean => {
  if (of === 'subscription') return plan !== null;
  if (isCartPurchase({ of })) return isSold && cart !== null && cart.total !== null;
  return title !== null && title.forSale && (isSold || isFree(title));
};

/** The next state for an offer that is for sale. */
const getNextState = (before: Context, offer: Offer): string => {
  const { of, signedIn, resume } = before;
  const isForNothing = offer.title !== null && isFree(offer.title);
  const pressed = resume === null || resume === 'choose' ? null : resume;
  const isResumed = signedIn && of === 'title' && pressed !== null;
  if (isResumed)
    return getPayAction({ ...before, ...offer, method: null, withCredits: false, pii: before.pii, key: offer.key }) === pressed
      ? 'paying'
      : 'priceChanged';
  if (signedIn && !isForNothing) return 'readingCards';
  return isGift({ of }) ? 'writing' : 'ready';
};

/** The state that shows the outcome of the payment, unless another page follows. */
const getEndState = (
  ended: PaymentOutput,
  { of, snapshot, before }: { of: PaidFor } & Pick<Moment, 'snapshot' | 'before'>,
): boolean => {
  const { value } = snapshot;
  if (isFormProblem(ended) && before !== null && before.context.days !== null) return ['writing', 'readingCards'].includes(value);
  const others: Partial<Record<PaymentOutcome, boolean>> = {
    notFound: value === 'paymentNotFound',
    owned:
      of === 'subscription'
        ? value === 'owned'
        : isCartPurchase({ of })
          ? value === 'priceChanged'
          : ['quoting', 'notFound', 'notOffered'].includes(value),
    none: ['quoting', 'notFound', 'notOffered'].includes(value),
  };
  return others[ended.outcome] ?? value === ended.outcome;
};

const offerRules: Rule[] = [
  always('what is asked for is what the address names', (moment) => {
    const asked = getPortInput<OfferRequest>(moment, 'offer');
    if (asked === undefined) return true;
    const { of, titleId, planId, countries } = moment.snapshot.context;
    return isSame(asked, { of, titleId, planId, countries });
  }),
  always('what was asked about is offered, unless it is owned, not for sale, or paid for already', (moment) => {
    const offer = getPortOutput<Offer>(moment, 'offer');
    if (offer === undefined || moment.before === null) return true;
    const { value, context } = moment.snapshot;
    const { title, cart, plan, price, instanceId, transId, credits, methods, isReduced, days } = context;
    if (value === 'priceChanged') return getNextState(moment.before.context, offer) === 'priceChanged';
    const kept = [title, cart, plan, price, instanceId, transId, credits, methods, isReduced, days, context.key];
    const given = [
      offer.title,
      offer.cart,
      offer.plan,
      offer.price,
      offer.instanceId,
      offer.transId,
      offer.credits,
      offer.methods,
      offer.isReduced,
      offer.days,
      offer.key,
    ];
    if (!isSame(kept, given)) return 'what was quoted is not what is kept';
    if (offer.instanceId !== null) return value === 'owned';
    if (offer.transId !== null && context.signedIn) return value === 'paying';
    if (!isForSale(context, offer)) return value === 'notForSale';
    return value === getNextState(moment.before.context, offer);
  }),
  always('what was written for a gift in this tab comes back', (moment) => {
    const offer = getPortOutput<Offer>(moment, 'offer');
    const { value, context } = moment.snapshot;
    return offer === undefined || !['writing', 'readingCards'].includes(value) || isSame(context.pii.gift, offer.pii.draft);
  }),
  always('what cannot be asked about is said to be missing, or not to be had now', (moment) => {
    const problem = getPortProblem(moment, 'offer');
    return problem === null || moment.snapshot.value === (isNotFound(problem) ? 'notFound' : 'unavailable');
  }),
  leadsTo('what is asked for is shown, or a word why not', {
    after: (moment) => getPortInput(moment, 'offer') !== undefined,
    to: ({ snapshot }) => !snapshot.matches('quoting'),
  }),
];

const payRules: Rule[] = [
  always('what is paid is what is shown: this, for this price, with this key, for this recipient', (moment) => {
    const asked = getPortInput<Order>(moment, 'payment');
    if (asked === undefined) return true;
    const { context } = moment.snapshot;
    const { of, titleId, planId, cart, price, key, transId, intentId, pii } = context;
    const titleIds = cart === null ? null : getPayableIds(cart);
    const gift = isGift(context) ? { pii: { form: pii.gift } } : null;
    return isSame(
      [
        asked.of,
        asked.titleId,
        asked.titleIds,
        asked.planId,
        asked.price,
        asked.free,
        asked.key,
        asked.transId,
        asked.intentId,
        asked.gift,
      ],
      [of, titleId, titleIds, planId, price, isFreeTitle(context), key, transId, intentId, gift],
    );
  }),
  always('whoever presses Pay pays what is priced, or signs in', (moment) => {
    const { event, before } = moment;
    if (event.type !== 'pay.pressed' || before?.matches('ready') !== true) return true;
    const { signedIn } = before.context;
    return (signedIn && isPriced(before.context)) === isPaying(moment);
  }),
  always('what is paid with money is paid with the tax that is shown', (moment) => {
    const asked = getPortInput<Order>(moment, 'payment');
    if (asked === undefined || asked.transId !== null) return true;
    const { context } = moment.snapshot;
    if (!isTaxed(context) || asked.credits !== null) return asked.tax === null;
    return asked.tax !== null && isSame(asked.tax, context.tax);
  }),
  always('tax is asked for the price that is shown, where the store adds it', (moment) => {
    const asked = getPortInput<TaxInput>(moment, 'tax');
    const isShown = moment.snapshot.matches('ready') && moment.before?.matches('ready') !== true;
    if (asked === undefined) return !isShown;
    const { context } = moment.snapshot;
    const { of, titleId, price, signedIn } = context;
    const due = signedIn && isTaxed(context);
    return isSame([asked.of, asked.titleId, asked.price, asked.isDue], [of, isCartPurchase({ of }) ? '' : titleId, price, due]);
  }),
  always('the tax that is shown is the one that was told', (moment) => {
    const { event, before, snapshot } = moment;
    if (event.type !== 'tax.told' || before?.matches('ready') !== true) return true;
    return isSame(snapshot.context.tax, event.tax);
  }),
  always('a price that is no longer so is not paid', (moment) => {
    if (moment.event.type !== 'tax.outdated' || moment.before?.matches('ready') !== true) return true;
    return moment.snapshot.matches('priceChanged');
  }),
  always('the tax of one price is none of another', (moment) => {
    const isOther = !isSame(moment.before?.context.price ?? null, moment.snapshot.context.price);
    return !isOther || !moment.snapshot.matches('ready') || moment.snapshot.context.tax === null;
  }),
  always('nobody pays without a press, before sign-in or now; what is taken up is only asked about', (moment) => {
    const { before, event, snapshot } = moment;
    if (!isPaying(moment) || event.type === 'pay.pressed' || snapshot.context.transId !== null) return true;
    const { of, price } = snapshot.context;
    return of === 'title' && before?.context.resume === `pay-${String(price?.amount)}-${String(price?.currency)}`;
  }),
  always('only a customer pays', (moment) => !isPaying(moment) || moment.snapshot.context.signedIn),
  always('nothing is paid that is owned, or not for sale', (moment) => {
    const { instanceId, title, cart, plan, of, transId } = moment.snapshot.context;
    if (!isPaying(moment) || transId !== null) return !isPaying(moment) || instanceId === null;
    const isThere =
      of === 'subscription' ? plan !== null : isCartPurchase({ of }) ? cart?.total != null : title?.forSale === true;
    return instanceId === null && isThere;
  }),
  always('a visitor who presses Pay is led to sign in, and back to this price', (moment) => {
    const { event, before } = moment;
    if (event.type !== 'pay.pressed' || before?.matches('ready') !== true) return true;
    return isSame(
      getSentEvents(moment, 'signIn.needed').map(({ action }) => action),
      before.context.signedIn ? [] : [getPayAction(before.context)],
    );
  }),
  always('the payment’s page is gone to, and a customer who comes back from it is heard', (moment) => {
    const { event, before, effects } = moment;
    if (!['leave', 'page.returned'].includes(event.type) || before?.matches('paying') !== true) return true;
    return effects.some((effect) => effect.kind === 'send' && effect.event.type === event.type);
  }),
  always('who pays is in the middle of something, and nobody else is', (moment) => {
    const [pays, paid] = [moment.snapshot.matches('paying'), moment.before?.matches('paying') === true];
    const [begun, ended] = [
      getSentEvents(moment, 'action.begun').map(({ action }) => action),
      getSentEvents(moment, 'action.ended').length,
    ];
    const action = getPayAction(moment.snapshot.context);
    return isSame(begun, pays && !paid ? [action] : []) && ended === (paid && !pays ? 1 : 0);
  }),
  leadsTo('who presses Pay comes to an end', { after: isPaying, to: ({ snapshot }) => !snapshot.matches('paying') }),
];

const forgetActions = {
  succeeded: 'forgetPaid',
  failed: 'forgetFailed',
  cancelled: 'forgetCancelled',
  priceChanged: 'forgetPrice',
  paymentNotFound: 'forgetUnknown',
} as const;

const endRules: Rule[] = [
  onlyAfter('the success page comes only when a payment has succeeded', {
    cause: (moment) => getPaymentOutput(moment)?.outcome === 'succeeded',
    what: ({ snapshot }) => snapshot.matches('succeeded'),
  }),
  always('a payment is shown as what it has ended as', (moment) => {
    const ended = getPaymentOutput(moment);
    return ended === undefined || getEndState(ended, { ...moment, of: ended.paidFor ?? moment.snapshot.context.of });
  }),
  always('the success page is that of what was paid for; a subscription loads the shop anew', (moment) => {
    const { event, before, snapshot } = moment;
    const ended = getPaymentOutput(moment);
    const isAgain = event.type === 'continue.pressed' && before?.matches('succeeded') === true;
    if (!isAgain && ended?.outcome !== 'succeeded') return true;
    const { of, transId } = snapshot.context;
    const path = getSuccessPath(of, ended?.transId ?? transId ?? '');
    const goes = getSentEvents(moment, 'go').map(({ to }) => to);
    const leaves = getSentEvents(moment, 'leave').map(({ url }) => url);
    return of === 'subscription' ? isSame([goes, leaves], [[], [path]]) : isSame([goes, leaves], [[path], []]);
  }),
  always('what a payment was for is what it says, else what was ordered', (moment) => {
    const ended = getPaymentOutput(moment);
    return ended === undefined || moment.snapshot.context.of === (ended.paidFor ?? moment.before?.context.of);
  }),
  always('why a payment has failed is said', (moment) => {
    const ended = getPaymentOutput(moment);
    return ended?.outcome !== 'failed' || isSame(moment.snapshot.context.problem, ended.problem);
  }),
  always('to try again is a new purchase of the same, at its own address', (moment) => {
    const { event, before, snapshot } = moment;
    if (event.type !== 'retry.pressed' || moment.fired.length === 0) return true;
    const isNamed = before?.matches('unavailable') === true || returnsToStart(moment);
    const isAsked = getPortInput(moment, 'offer') !== undefined && snapshot.matches('quoting');
    return isNamed && (isAsked || snapshot.matches('notFound') || snapshot.matches('notOffered'));
  }),
  always(
    'a payment that nobody knows of, or of a title that is owned by now, begins anew at the address of its beginning',
    (moment) => {
      const ended = getPaymentOutput(moment);
      const isAnew =
        ended?.outcome === 'none' || (ended?.outcome === 'owned' && ['title', 'gift'].includes(moment.snapshot.context.of));
      return !isAnew || returnsToStart(moment);
    },
  ),
  invariant('whoever tries again after an end begins a new purchase', ({ value, context }) => {
    const isOver = ['failed', 'cancelled', 'priceChanged', 'paymentNotFound'].includes(value);
    const { key, transId, intentId, resume } = context;
    return !isOver || isSame([key, transId, intentId, resume], [null, null, null, null]);
  }),
  always('a purchase that has ended is forgotten, and what was written, once it is paid', (moment) => {
    const { snapshot } = moment;
    const id = forgetActions[snapshot.value as keyof typeof forgetActions];
    if (id === undefined || moment.before?.value === snapshot.value) return true;
    const { of, titleId } = snapshot.context;
    return isSame(getPortInput(moment, id), { of, titleId, isPaid: id === 'forgetPaid' });
  }),
  always('Open leads to the customer’s own copy', (moment) => {
    const isRead = moment.event.type === 'read.pressed' && moment.before?.matches('owned') === true;
    const copy = moment.snapshot.context.instanceId ?? '';
    return (
      !isRead ||
      isSame(
        getSentEvents(moment, 'go').map(({ to }) => to),
        [`/viewer${copy === '' ? '' : `?instanceid=${copy}`}`],
      )
    );
  }),
  invariant('cards are held while one can be chosen, and no longer', ({ value, context }) => {
    const shown = ['readingCredits', 'writing', 'previewing', 'ready', 'applying', 'removing'];
    return context.cards.length === 0 || shown.includes(value);
  }),
];

const purchaseRules: MachineRules = {
  rules: [...beginRules, ...offerRules, ...paymentOptionRules, ...giftRules, ...codeRules, ...payRules, ...endRules],
  pii: {
    'purchase.readingCards': 'what was written for a gift before comes back with the form',
    'purchase.readingCredits': 'the cards are chosen from a moment later; the same of what was written for a gift',
    'purchase.writing': 'the form shows what was written; beside it stand the cards for the next step',
    'purchase.previewing': 'the form is on its way to the server',
    'purchase.ready': 'a card is chosen by its kind and its last digits; the letter of a gift is shown',
    'purchase.applying': 'the code is on its way to the server, and the cards are chosen from a moment later',
    'purchase.removing': 'the cards are chosen from a moment later',
    'purchase.paying': 'the recipient of a gift goes along with the payment',
  },
  externalExits: {
    'purchase.notFound': 'a link leads to the shop, or to the subscriptions that there are',
    'purchase.succeeded': 'the app shows the success page, as it was told to',
  },
};

export const rules: Record<string, MachineRules> = { purchase: purchaseRules, payment: paymentRules, tax: taxRules };
