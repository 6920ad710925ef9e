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
  getSentEvents,
  type MomentOf,
  type Rule,
} from '../../../paths/rules.ts';
import type { MachineRules } from '../../machine-rules.ts';
import { startRules } from './begin-rules.ts';
import { codeRules } from './code-rules.ts';
import { giftRules, isFormProblem } from './gift-rules.ts';
import { isNotFound, paymentRules } from './payment-rules.ts';
import { taxRules } from './tax-rules.ts';
import { paymentOptionRules } from './payment-option-rules.ts';
import { isSameJson } from '../../../same-json.ts';

const { always, invariant, leadsTo, onlyAfter } = rulesFor<typeof purchaseMachine>();
type Moment = MomentOf<typeof purchaseMachine>;
type Context = Moment['snapshot']['context'];

const getPaymentOutput = (moment: Moment): PaymentOutput | undefined => getPortOutput<PaymentOutput>(moment, 'payment');

/** Whether tax is added to the price: the store adds tax, and there is something to pay. */
const isTaxed = ({ addsTax, title, cart }: Context): boolean =>
  addsTax && (cart === null ? title !== null && !isFree(title) : cart.total !== null);

const startsPayment = (moment: Moment): boolean => getPortInput(moment, 'payment') !== undefined;

/** Whether the amount to pay is known, with its tax unless credits pay. */
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
  isSameJson(
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

/** The state after the answer with an offer that is for sale. */
const getNextState = (before: Context, offer: Offer): string => {
  const { of, signedIn, resume } = before;
  const isFreeOffer = offer.title !== null && isFree(offer.title);
  const action = resume === null || resume === 'choose' ? null : resume;
  const isResumed = signedIn && of === 'title' && action !== null;
  if (isResumed)
    return getPayAction({ ...before, ...offer, method: null, withCredits: false, pii: before.pii, key: offer.key }) === action
      ? 'paying'
      : 'priceChanged';
  if (signedIn && !isFreeOffer) return 'readingCards';
  return isGift({ of }) ? 'writing' : 'ready';
};

/** Whether the state after a payment is one that its outcome allows. */
const isEndState = (
  payment: PaymentOutput,
  { of, snapshot, before }: { of: PaidFor } & Pick<Moment, 'snapshot' | 'before'>,
): boolean => {
  const { value } = snapshot;
  if (isFormProblem(payment) && before !== null && before.context.days !== null)
    return ['writing', 'readingCards'].includes(value);
  const isShownByOutcome: Partial<Record<PaymentOutcome, boolean>> = {
    notFound: value === 'paymentNotFound',
    owned:
      of === 'subscription'
        ? value === 'owned'
        : isCartPurchase({ of })
          ? value === 'priceChanged'
          : ['quoting', 'notFound', 'notOffered'].includes(value),
    none: ['quoting', 'notFound', 'notOffered'].includes(value),
  };
  return isShownByOutcome[payment.outcome] ?? value === payment.outcome;
};

const offerRules: Rule[] = [
  always('the offer is requested for the goods in the URL', (moment) => {
    const input = getPortInput<OfferRequest>(moment, 'offer');
    if (input === undefined) return true;
    const { of, titleId, planId, countries } = moment.snapshot.context;
    return isSameJson(input, { of, titleId, planId, countries });
  }),
  always('an offer leads to the next step unless it is owned, not for sale, or already being paid', (moment) => {
    const offer = getPortOutput<Offer>(moment, 'offer');
    if (offer === undefined || moment.before === null) return true;
    const { value, context } = moment.snapshot;
    const { title, cart, plan, price, instanceId, transId, credits, methods, isReduced, days } = context;
    if (value === 'priceChanged') return getNextState(moment.before.context, offer) === 'priceChanged';
    const contextValues = [title, cart, plan, price, instanceId, transId, credits, methods, isReduced, days, context.key];
    const offerValues = [
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
    if (!isSameJson(contextValues, offerValues)) return 'the context differs from the offer';
    if (offer.instanceId !== null) return value === 'owned';
    if (offer.transId !== null && context.signedIn) return value === 'paying';
    if (!isForSale(context, offer)) return value === 'notForSale';
    return value === getNextState(moment.before.context, offer);
  }),
  always('the gift draft of this tab is restored', (moment) => {
    const offer = getPortOutput<Offer>(moment, 'offer');
    const { value, context } = moment.snapshot;
    return offer === undefined || !['writing', 'readingCards'].includes(value) || isSameJson(context.pii.gift, offer.pii.draft);
  }),
  always('a failed request for the offer leads to notFound or unavailable', (moment) => {
    const problem = getPortProblem(moment, 'offer');
    return problem === null || moment.snapshot.value === (isNotFound(problem) ? 'notFound' : 'unavailable');
  }),
  leadsTo('the offer loads or its failure is shown', {
    after: (moment) => getPortInput(moment, 'offer') !== undefined,
    to: ({ snapshot }) => !snapshot.matches('quoting'),
  }),
];

const payRules: Rule[] = [
  always('the payment has the shown goods, price, key and recipient', (moment) => {
    const input = getPortInput<Order>(moment, 'payment');
    if (input === undefined) return true;
    const { context } = moment.snapshot;
    const { of, titleId, planId, cart, price, key, transId, intentId, pii } = context;
    const titleIds = cart === null ? null : getPayableIds(cart);
    const gift = isGift(context) ? { pii: { form: pii.gift } } : null;
    return isSameJson(
      [
        input.of,
        input.titleId,
        input.titleIds,
        input.planId,
        input.price,
        input.free,
        input.key,
        input.transId,
        input.intentId,
        input.gift,
      ],
      [of, titleId, titleIds, planId, price, isFreeTitle(context), key, transId, intentId, gift],
    );
  }),
  always('Pay starts a payment exactly for a signed-in customer and a known price', (moment) => {
    const { event, before } = moment;
    if (event.type !== 'pay.pressed' || before?.matches('ready') !== true) return true;
    const { signedIn } = before.context;
    return (signedIn && isPriced(before.context)) === startsPayment(moment);
  }),
  always('a payment with money has the shown tax', (moment) => {
    const input = getPortInput<Order>(moment, 'payment');
    if (input === undefined || input.transId !== null) return true;
    const { context } = moment.snapshot;
    if (!isTaxed(context) || input.credits !== null) return input.tax === null;
    return input.tax !== null && isSameJson(input.tax, context.tax);
  }),
  always('the tax machine starts with the shown price, and with whether tax is due', (moment) => {
    const input = getPortInput<TaxInput>(moment, 'tax');
    const entersSummary = moment.snapshot.matches('ready') && moment.before?.matches('ready') !== true;
    if (input === undefined) return !entersSummary;
    const { context } = moment.snapshot;
    const { of, titleId, price, signedIn } = context;
    const isDue = signedIn && isTaxed(context);
    return isSameJson(
      [input.of, input.titleId, input.price, input.isDue],
      [of, isCartPurchase({ of }) ? '' : titleId, price, isDue],
    );
  }),
  always('the shown tax is that of the last tax.changed', (moment) => {
    const { event, before, snapshot } = moment;
    if (event.type !== 'tax.changed' || before?.matches('ready') !== true) return true;
    return isSameJson(snapshot.context.tax, event.tax);
  }),
  always('an outdated price leads to priceChanged', (moment) => {
    if (moment.event.type !== 'tax.outdated' || moment.before?.matches('ready') !== true) return true;
    return moment.snapshot.matches('priceChanged');
  }),
  always('a new price clears the tax of the earlier one', (moment) => {
    const isNewPrice = !isSameJson(moment.before?.context.price ?? null, moment.snapshot.context.price);
    return !isNewPrice || !moment.snapshot.matches('ready') || moment.snapshot.context.tax === null;
  }),
  always('a new payment starts only after a press, now or before sign-in', (moment) => {
    const { before, event, snapshot } = moment;
    if (!startsPayment(moment) || event.type === 'pay.pressed' || snapshot.context.transId !== null) return true;
    const { of, price } = snapshot.context;
    return of === 'title' && before?.context.resume === `pay-${String(price?.amount)}-${String(price?.currency)}`;
  }),
  always('only a customer pays', (moment) => !startsPayment(moment) || moment.snapshot.context.signedIn),
  always('no payment starts for goods that are owned or not for sale', (moment) => {
    const { instanceId, title, cart, plan, of, transId } = moment.snapshot.context;
    if (!startsPayment(moment) || transId !== null) return !startsPayment(moment) || instanceId === null;
    const isAvailable =
      of === 'subscription' ? plan !== null : isCartPurchase({ of }) ? cart?.total != null : title?.forSale === true;
    return instanceId === null && isAvailable;
  }),
  always('Pay leads a visitor to sign-in, with an action that names the price', (moment) => {
    const { event, before } = moment;
    if (event.type !== 'pay.pressed' || before?.matches('ready') !== true) return true;
    return isSameJson(
      getSentEvents(moment, 'signIn.needed').map(({ action }) => action),
      before.context.signedIn ? [] : [getPayAction(before.context)],
    );
  }),
  always('leave and page.returned are forwarded during a payment', (moment) => {
    const { event, before, effects } = moment;
    if (!['leave', 'page.returned'].includes(event.type) || before?.matches('paying') !== true) return true;
    return effects.some((effect) => effect.kind === 'send' && effect.event.type === event.type);
  }),
  always('paying sends action.started at its start and action.ended at its end', (moment) => {
    const [isPayingNow, wasPaying] = [moment.snapshot.matches('paying'), moment.before?.matches('paying') === true];
    const [begunActions, endCount] = [
      getSentEvents(moment, 'action.started').map(({ action }) => action),
      getSentEvents(moment, 'action.ended').length,
    ];
    const action = getPayAction(moment.snapshot.context);
    return (
      isSameJson(begunActions, isPayingNow && !wasPaying ? [action] : []) && endCount === (wasPaying && !isPayingNow ? 1 : 0)
    );
  }),
  leadsTo('every payment leaves the state paying', { after: startsPayment, to: ({ snapshot }) => !snapshot.matches('paying') }),
];

const forgetActions = {
  succeeded: 'forgetPaid',
  failed: 'forgetFailed',
  cancelled: 'forgetCancelled',
  priceChanged: 'forgetPrice',
  paymentNotFound: 'forgetUnknown',
} as const;

const endRules: Rule[] = [
  onlyAfter('the success page is shown only after a payment has succeeded', {
    cause: (moment) => getPaymentOutput(moment)?.outcome === 'succeeded',
    what: ({ snapshot }) => snapshot.matches('succeeded'),
  }),
  always('the screen after a payment is the one for its outcome', (moment) => {
    const payment = getPaymentOutput(moment);
    return payment === undefined || isEndState(payment, { ...moment, of: payment.paidFor ?? moment.snapshot.context.of });
  }),
  always('the success page is that of the paid goods, and a subscription reloads the app', (moment) => {
    const { event, before, snapshot } = moment;
    const payment = getPaymentOutput(moment);
    const isContinued = event.type === 'continue.pressed' && before?.matches('succeeded') === true;
    if (!isContinued && payment?.outcome !== 'succeeded') return true;
    const { of, transId } = snapshot.context;
    const path = getSuccessPath(of, payment?.transId ?? transId ?? '');
    const goPaths = getSentEvents(moment, 'go').map(({ to }) => to);
    const leaveUrls = getSentEvents(moment, 'leave').map(({ url }) => url);
    return of === 'subscription'
      ? isSameJson([goPaths, leaveUrls], [[], [path]])
      : isSameJson([goPaths, leaveUrls], [[path], []]);
  }),
  always('the kind of purchase is the one that the payment names, else that of the order', (moment) => {
    const payment = getPaymentOutput(moment);
    return payment === undefined || moment.snapshot.context.of === (payment.paidFor ?? moment.before?.context.of);
  }),
  always('a failed payment shows its problem', (moment) => {
    const payment = getPaymentOutput(moment);
    return payment?.outcome !== 'failed' || isSameJson(moment.snapshot.context.problem, payment.problem);
  }),
  always('a retry starts a new purchase at the URL of the goods', (moment) => {
    const { event, before, snapshot } = moment;
    if (event.type !== 'retry.pressed' || moment.fired.length === 0) return true;
    const hasStartPath = before?.matches('unavailable') === true || returnsToStart(moment);
    const isOfferRequested = getPortInput(moment, 'offer') !== undefined && snapshot.matches('quoting');
    return hasStartPath && (isOfferRequested || snapshot.matches('notFound') || snapshot.matches('notOffered'));
  }),
  always('an unknown payment, or one for an owned title, restarts at the URL of the goods', (moment) => {
    const payment = getPaymentOutput(moment);
    const restarts =
      payment?.outcome === 'none' || (payment?.outcome === 'owned' && ['title', 'gift'].includes(moment.snapshot.context.of));
    return !restarts || returnsToStart(moment);
  }),
  invariant('a purchase that ended without success keeps no key and no payment id', ({ value, context }) => {
    const hasEnded = ['failed', 'cancelled', 'priceChanged', 'paymentNotFound'].includes(value);
    const { key, transId, intentId, resume } = context;
    return !hasEnded || isSameJson([key, transId, intentId, resume], [null, null, null, null]);
  }),
  always('an ended purchase is removed from the storage, with the gift draft once it is paid', (moment) => {
    const { snapshot } = moment;
    const forgetId = forgetActions[snapshot.value as keyof typeof forgetActions];
    if (forgetId === undefined || moment.before?.value === snapshot.value) return true;
    const { of, titleId } = snapshot.context;
    return isSameJson(getPortInput(moment, forgetId), { of, titleId, isPaid: forgetId === 'forgetPaid' });
  }),
  always('Open leads to the customer’s copy', (moment) => {
    const isReadPressed = moment.event.type === 'read.pressed' && moment.before?.matches('owned') === true;
    const copyId = moment.snapshot.context.instanceId ?? '';
    return (
      !isReadPressed ||
      isSameJson(
        getSentEvents(moment, 'go').map(({ to }) => to),
        [`/viewer${copyId === '' ? '' : `?instanceid=${copyId}`}`],
      )
    );
  }),
  invariant('cards are kept only while one can be selected', ({ value, context }) => {
    const statesWithCards = ['readingCredits', 'writing', 'previewing', 'ready', 'applying', 'removing'];
    return context.cards.length === 0 || statesWithCards.includes(value);
  }),
];

const purchaseRules: MachineRules = {
  rules: [...startRules, ...offerRules, ...paymentOptionRules, ...giftRules, ...codeRules, ...payRules, ...endRules],
  pii: {
    'purchase.readingCards': 'the gift draft returns with the form',
    'purchase.readingCredits': 'the next state shows the cards and the gift draft',
    'purchase.writing': 'the form shows the gift draft, and the next step shows the cards',
    'purchase.previewing': 'the form is on its way to the server',
    'purchase.ready': 'the cards are shown by brand and last digits, and a gift with its e-mail preview',
    'purchase.applying': 'the code is on its way to the server, and the summary shows the cards',
    'purchase.removing': 'the summary shows the cards',
    'purchase.paying': 'the payment of a gift has its recipient',
  },
  externalExits: {
    'purchase.notFound': 'a link leads to the shop or to the subscriptions',
    'purchase.succeeded': 'the app shows the success page',
  },
};

export const rules: Record<string, MachineRules> = { purchase: purchaseRules, payment: paymentRules, tax: taxRules };
