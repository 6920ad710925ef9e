import type Stripe from 'stripe';
import { type Intent, type IntentRequest, type PaymentPort, PaymentUnknown } from '../port.ts';
import { getFirstLanguage } from '../../base/language.ts';
import { withParameter } from '../return-address.ts';
import { toStripeAmount } from './amounts.ts';
import { callStripe, retrieveOrUndefined, createOnce } from './calls.ts';
import { getOrCreateCustomer, type StripeContext } from './cards.ts';
import { getExpandedId, getExpanded } from './expanded.ts';
import { toReason, toState, toPaymentState, toSetupState } from './payment-states.ts';
import { toAgreementMetadata, parseAgreement, createStripeSubscription } from './subscriptions.ts';

/*
 * The store's intent is one of three objects at Stripe, by the prefix of its id: a Checkout Session
 * (`cs_`), whose page takes a card; a PaymentIntent (`pi_`) or a SetupIntent (`seti_`) for a saved
 * card, without a page. A SetupIntent represents the first payment of a subscription, which is
 * charged when the subscription is created.
 */

/** Maximum characters of a product's name at Stripe. */
const MAX_NAME_CHARS = 250;

/**
 * The payment methods of `wallet`. Checkout shows those that the account has enabled and the
 * payment allows. Stripe treats Apple Pay and Google Pay as `card`, which also serves customers
 * without a wallet.
 */
const WALLETS: Stripe.Checkout.SessionCreateParams.AllowedPaymentMethodType[] = ['card', 'link', 'paypal', 'amazon_pay'];

const EXPANDED_FIELDS = ['payment_intent.payment_method', 'payment_intent.latest_charge', 'setup_intent.payment_method'];

/** The objects at Stripe behind an intent of the store. */
type StripeObjects = { session?: Stripe.Checkout.Session; payment?: Stripe.PaymentIntent; setup?: Stripe.SetupIntent };

export async function findStripeObjects({ stripe }: StripeContext, id: string): Promise<StripeObjects | undefined> {
  if (id.startsWith('pi_')) {
    const payment = await retrieveOrUndefined(() =>
      stripe.paymentIntents.retrieve(id, { expand: ['payment_method', 'latest_charge'] }),
    );
    return payment && { payment };
  }
  if (id.startsWith('seti_')) {
    const setup = await retrieveOrUndefined(() => stripe.setupIntents.retrieve(id, { expand: ['payment_method'] }));
    return setup && { setup };
  }
  if (!id.startsWith('cs_')) return undefined;
  const session = await retrieveOrUndefined(() => stripe.checkout.sessions.retrieve(id, { expand: EXPANDED_FIELDS }));
  if (!session) return undefined;
  const [payment, setup] = [getExpanded(session.payment_intent), getExpanded(session.setup_intent)];
  return { session, ...(payment ? { payment } : {}), ...(setup ? { setup } : {}) };
}

const getRedirect = (intent: Stripe.PaymentIntent | Stripe.SetupIntent | undefined): string =>
  intent?.next_action?.redirect_to_url?.url ?? '';

/**
 * Converts Stripe's objects to an intent. An intent without a page is cancelled once its card was
 * declined: no other card may pay it.
 * @param isCancelTried the intent was already cancelled here, unless Stripe refused the
 * cancellation
 */
async function toIntent(
  context: StripeContext,
  id: string,
  { session, payment, setup }: StripeObjects,
  isCancelTried = false,
): Promise<Intent> {
  const { stripe } = context;
  const baseFields = { id, url: session?.url ?? getRedirect(payment ?? setup) };
  if (session && session.status !== 'complete') {
    const failure = payment?.last_payment_error ?? setup?.last_setup_error ?? null;
    return { ...baseFields, ...toState(session.status === 'open' ? 'open' : 'cancelled', toReason(failure)) };
  }
  const outcome = await (payment ? toPaymentState(context, payment) : setup ? toSetupState(context, setup) : toState('open'));
  const isRefused = session === undefined && outcome.state === 'open' && outcome.reason !== null;
  if (!isRefused || isCancelTried) return { ...baseFields, ...outcome };
  if (payment)
    await callStripe(
      () => stripe.paymentIntents.cancel(id),
      () => stripe.paymentIntents.retrieve(id),
    );
  else
    await callStripe(
      () => stripe.setupIntents.cancel(id),
      () => stripe.setupIntents.retrieve(id),
    );
  return toIntent(context, id, (await findStripeObjects(context, id)) ?? {}, true);
}

async function readIntent(context: StripeContext, id: string): Promise<Intent | undefined> {
  const stripeObjects = await findStripeObjects(context, id);
  return stripeObjects && toIntent(context, id, stripeObjects);
}

export async function requireIntent(context: StripeContext, id: string): Promise<Intent> {
  const intent = await readIntent(context, id);
  if (!intent) throw new PaymentUnknown(new Error(`Stripe does not know the payment ${id}.`));
  return intent;
}

/**
 * Returns the parameters of a Checkout page. The page does not charge the card: the card is
 * authorised, or set up for a subscription.
 */
function toSessionParams(request: IntentRequest, customer: string): Stripe.Checkout.SessionCreateParams {
  const { reference, currency, description, subscription: terms, returnUrl } = request;
  const page = {
    customer,
    client_reference_id: reference,
    success_url: withParameter(returnUrl, 'intentId', '{CHECKOUT_SESSION_ID}'),
    cancel_url: withParameter(returnUrl, 'cancelled', '1'),
    locale: getFirstLanguage(request.language) ?? 'auto',
    metadata: { reference },
  } as const satisfies Stripe.Checkout.SessionCreateParams;
  if (terms) {
    const metadata = toAgreementMetadata({ reference, currency, description, terms });
    return { ...page, allowed_payment_method_types: ['card'], mode: 'setup', setup_intent_data: { description, metadata } };
  }
  const price_data = {
    currency: currency.toLowerCase(),
    unit_amount: toStripeAmount(request.amountMinor, currency),
    product_data: { name: description, description: request.shopName },
  };
  return {
    ...page,
    allowed_payment_method_types: request.method === 'wallet' ? WALLETS : ['card'],
    mode: 'payment',
    line_items: [{ quantity: 1, price_data }],
    payment_intent_data: { capture_method: 'manual', description, metadata: { reference } },
    saved_payment_method_options: { payment_method_save: 'enabled' },
  };
}

/**
 * Creates a PaymentIntent or SetupIntent without a page; it holds no money until a card is sent to
 * it.
 * @param replacedId id of the intent that it replaces; empty for none
 * @returns its id
 */
async function createWithoutPage(
  { stripe }: StripeContext,
  request: IntentRequest,
  customer: string,
  replacedId = '',
): Promise<string> {
  const { reference, currency, description, subscription: terms, amountMinor } = request;
  const baseParams = {
    customer,
    description,
    allowed_payment_method_types: ['card'],
  } satisfies Stripe.PaymentIntentUpdateParams & Stripe.SetupIntentUpdateParams;
  if (terms) {
    const metadata = { ...toAgreementMetadata({ reference, currency, description, terms }), page: 'none' };
    const setup = await createOnce(
      `setup/${reference}/${replacedId}`,
      (options) => stripe.setupIntents.create({ ...baseParams, usage: 'off_session', metadata }, options),
      true,
    );
    return setup.id;
  }
  const amount = { amount: toStripeAmount(amountMinor, currency), currency: currency.toLowerCase() };
  const metadata = { reference, page: 'none' };
  const payment = await createOnce(
    `card/${reference}/${replacedId}`,
    (options) => stripe.paymentIntents.create({ ...baseParams, ...amount, capture_method: 'manual', metadata }, options),
    true,
  );
  return payment.id;
}

/**
 * Confirms an intent without a page with a saved card. If Stripe refuses the request, the intent is
 * cancelled and counts as failed, like a declined card.
 */
async function confirmWithCard(context: StripeContext, id: string, request: IntentRequest, card: string): Promise<Intent> {
  const { stripe } = context;
  const params = { payment_method: card, return_url: withParameter(request.returnUrl, 'intentId', id) };
  const isPayment = id.startsWith('pi_');
  let isSent = true;
  const onRefusal = async (): Promise<object> => {
    isSent = false;
    return {};
  };
  await callStripe<object>(
    () => (isPayment ? stripe.paymentIntents.confirm(id, params) : stripe.setupIntents.confirm(id, params)),
    onRefusal,
  );
  const updatedIntent = await requireIntent(context, id);
  if (isSent || updatedIntent.state !== 'open') return updatedIntent;
  const endedIntent = await endIntent(context, id);
  return endedIntent.state === 'cancelled' ? { ...endedIntent, state: 'failed', reason: 'card_unknown' } : endedIntent;
}

/**
 * Expires the page, so that the customer cannot also pay there.
 * @returns the intent if the page could not be closed; undefined if it is closed
 */
async function closePage(context: StripeContext, id: string): Promise<Intent | undefined> {
  const { stripe } = context;
  await callStripe(
    () => stripe.checkout.sessions.expire(id),
    () => stripe.checkout.sessions.retrieve(id),
  );
  const intent = await requireIntent(context, id);
  return intent.state === 'cancelled' ? undefined : intent;
}

async function createWithCard(context: StripeContext, request: IntentRequest, card: string): Promise<Intent> {
  const { names } = context;
  const { reference } = request;
  const storedId = await names.find('payment', reference);
  const stripeObjects = storedId === undefined ? undefined : await findStripeObjects(context, storedId);
  if (storedId !== undefined && stripeObjects?.session) {
    const intent = await toIntent(context, storedId, stripeObjects);
    if (intent.state !== 'open' && intent.state !== 'cancelled') return intent;
    const unclosedIntent = await closePage(context, storedId);
    if (unclosedIntent) return unclosedIntent;
  } else if (storedId !== undefined && stripeObjects) {
    const intent = await toIntent(context, storedId, stripeObjects);
    return intent.state === 'open' ? confirmWithCard(context, storedId, request, card) : intent;
  }
  const customer = await getOrCreateCustomer(context, request.customer);
  const createdId = await callStripe(() => createWithoutPage(context, request, customer, storedId));
  const id = await (storedId === undefined
    ? names.storeOnce('payment', reference, createdId)
    : names.replace('payment', reference, storedId, createdId));
  if (id !== createdId) return requireIntent(context, id);
  return confirmWithCard(context, id, request, card);
}

async function createPage(context: StripeContext, request: IntentRequest): Promise<Intent> {
  const { stripe, names } = context;
  const { reference } = request;
  const storedId = await names.find('payment', reference);
  const intent = storedId === undefined ? undefined : await readIntent(context, storedId);
  if (intent && (intent.state !== 'open' || intent.url !== '')) return intent;
  // As far as the shop knows, no card was sent to this intent without a page: it is replaced by a
  // page, unless it cannot be cancelled, since a card was sent.
  const endedIntent = intent && (await endIntent(context, intent.id));
  if (endedIntent && endedIntent.state !== 'cancelled') return endedIntent;
  const params = toSessionParams(request, await getOrCreateCustomer(context, request.customer));
  const key = `session/${reference}/${storedId ?? ''}`;
  const createdSession = await callStripe(() =>
    createOnce(key, (options) => stripe.checkout.sessions.create(params, options), true),
  ).catch(async (error: unknown) => {
    // A concurrent call may have created the session.
    const otherId = await names.find('payment', reference);
    if (otherId === undefined || otherId === storedId) throw error;
    return { id: otherId };
  });
  const id = await (storedId === undefined
    ? names.storeOnce('payment', reference, createdSession.id)
    : names.replace('payment', reference, storedId, createdSession.id));
  return requireIntent(context, id);
}

async function capture(context: StripeContext, id: string): Promise<Intent> {
  const { stripe } = context;
  const stripeObjects = await findStripeObjects(context, id);
  const intent = stripeObjects && (await toIntent(context, id, stripeObjects));
  if (!stripeObjects || intent?.state !== 'authorized') return intent ?? requireIntent(context, id);
  const { payment, setup } = stripeObjects;
  if (payment) {
    await callStripe(
      () => stripe.paymentIntents.capture(payment.id),
      () => stripe.paymentIntents.retrieve(payment.id),
    );
    return requireIntent(context, id);
  }
  const agreement = parseAgreement(setup?.metadata ?? null);
  if (!setup || !agreement) return intent;
  await callStripe<unknown>(
    () => createStripeSubscription(context, agreement, getExpandedId(setup.customer), getExpandedId(setup.payment_method)),
    (error) => {
      const failureReason = toReason(error.type === 'StripeCardError' ? error : { code: 'payment_failed' }) ?? 'payment_failed';
      return callStripe(() => stripe.setupIntents.update(setup.id, { metadata: { failed: failureReason } }));
    },
  );
  return requireIntent(context, id);
}

async function endIntent(context: StripeContext, id: string): Promise<Intent> {
  const { stripe } = context;
  const stripeObjects = await findStripeObjects(context, id);
  if (!stripeObjects) return requireIntent(context, id);
  const { session, payment, setup } = stripeObjects;
  if (session?.status === 'open')
    await callStripe(
      () => stripe.checkout.sessions.expire(id),
      () => stripe.checkout.sessions.retrieve(id),
    );
  else if (payment && payment.status !== 'succeeded' && payment.status !== 'canceled')
    await callStripe(
      () => stripe.paymentIntents.cancel(payment.id),
      () => stripe.paymentIntents.retrieve(payment.id),
    );
  // A succeeded setup holds no money and cannot be cancelled at Stripe: its metadata marks it as
  // cancelled.
  else if (setup?.status === 'succeeded')
    await callStripe(() => stripe.setupIntents.update(setup.id, { metadata: { cancelled: '1' } }));
  else if (setup && setup.status !== 'canceled')
    await callStripe(
      () => stripe.setupIntents.cancel(setup.id),
      () => stripe.setupIntents.retrieve(setup.id),
    );
  return requireIntent(context, id);
}

export const createIntentCalls = (
  context: StripeContext,
): Pick<PaymentPort, 'create' | 'read' | 'readByReference' | 'capture' | 'cancel'> => ({
  create(originalRequest) {
    const request = { ...originalRequest, description: originalRequest.description.slice(0, MAX_NAME_CHARS) };
    return originalRequest.cardToken === undefined
      ? createPage(context, request)
      : createWithCard(context, request, originalRequest.cardToken);
  },
  read: (id) => readIntent(context, id),
  async readByReference(reference) {
    const id = await context.names.find('payment', reference);
    return id === undefined ? undefined : readIntent(context, id);
  },
  capture: (id) => capture(context, id),
  cancel: (id) => endIntent(context, id),
});
