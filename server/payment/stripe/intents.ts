import type Stripe from 'stripe';
import { type Intent, type IntentRequest, type PaymentPort, PaymentUnknown } from '../port.ts';
import { getFirstLanguage } from '../../base/language.ts';
import { withParameter } from '../return-address.ts';
import { toStripeAmount } from './amounts.ts';
import { callStripe, retrieveOrUndefined, createOnce } from './calls.ts';
import { getOrCreateCustomer, type StripeParts } from './cards.ts';
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
 * Checkout shows those methods that the account has enabled and the payment allows. Stripe treats
 * Apple Pay and Google Pay as `card`, which also serves customers without a wallet.
 */
const WALLETS: Stripe.Checkout.SessionCreateParams.AllowedPaymentMethodType[] = ['card', 'link', 'paypal', 'amazon_pay'];

const EXPANDED_FIELDS = ['payment_intent.payment_method', 'payment_intent.latest_charge', 'setup_intent.payment_method'];

/** The objects at Stripe behind an intent of the store. */
type StripeObjects = { session?: Stripe.Checkout.Session; payment?: Stripe.PaymentIntent; setup?: Stripe.SetupIntent };

export async function findStripeObjects({ stripe }: StripeParts, id: string): Promise<StripeObjects | undefined> {
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

const getRedirect = (part: Stripe.PaymentIntent | Stripe.SetupIntent | undefined): string =>
  part?.next_action?.redirect_to_url?.url ?? '';

/**
 * Converts Stripe's objects to an intent. An intent without a page is cancelled once its card was
 * declined: no other card may pay it.
 * @param isEnded the cancellation was tried; Stripe may have refused it
 */
async function toIntent(
  parts: StripeParts,
  id: string,
  { session, payment, setup }: StripeObjects,
  isEnded = false,
): Promise<Intent> {
  const { stripe } = parts;
  const shown = { id, url: session?.url ?? getRedirect(payment ?? setup) };
  if (session && session.status !== 'complete') {
    const failure = payment?.last_payment_error ?? setup?.last_setup_error ?? null;
    return { ...shown, ...toState(session.status === 'open' ? 'open' : 'cancelled', toReason(failure)) };
  }
  const now = await (payment ? toPaymentState(parts, payment) : setup ? toSetupState(parts, setup) : toState('open'));
  const isRefused = session === undefined && now.state === 'open' && now.reason !== null;
  if (!isRefused || isEnded) return { ...shown, ...now };
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
  return toIntent(parts, id, (await findStripeObjects(parts, id)) ?? {}, true);
}

async function readIntent(parts: StripeParts, id: string): Promise<Intent | undefined> {
  const found = await findStripeObjects(parts, id);
  return found && toIntent(parts, id, found);
}

export async function requireIntent(parts: StripeParts, id: string): Promise<Intent> {
  const intent = await readIntent(parts, id);
  if (!intent) throw new PaymentUnknown(new Error(`Stripe does not know the payment ${id}.`));
  return intent;
}

/**
 * Parameters of a Checkout page. It does not charge: the card is authorised, or set up for a
 * subscription.
 */
function sessionParams(request: IntentRequest, customer: string): Stripe.Checkout.SessionCreateParams {
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
 * @param known the intent that it replaces
 */
async function createWithoutPage({ stripe }: StripeParts, request: IntentRequest, customer: string, known = ''): Promise<string> {
  const { reference, currency, description, subscription: terms, amountMinor } = request;
  const bare = {
    customer,
    description,
    allowed_payment_method_types: ['card'],
  } satisfies Stripe.PaymentIntentUpdateParams & Stripe.SetupIntentUpdateParams;
  if (terms) {
    const metadata = { ...toAgreementMetadata({ reference, currency, description, terms }), page: 'none' };
    const setup = await createOnce(
      `setup/${reference}/${known}`,
      (options) => stripe.setupIntents.create({ ...bare, usage: 'off_session', metadata }, options),
      true,
    );
    return setup.id;
  }
  const amount = { amount: toStripeAmount(amountMinor, currency), currency: currency.toLowerCase() };
  const metadata = { reference, page: 'none' };
  const payment = await createOnce(
    `card/${reference}/${known}`,
    (options) => stripe.paymentIntents.create({ ...bare, ...amount, capture_method: 'manual', metadata }, options),
    true,
  );
  return payment.id;
}

/**
 * Confirms an intent without a page with a saved card. If Stripe refuses the request, the intent is
 * cancelled and counts as failed, like a declined card.
 */
async function sendCard(parts: StripeParts, id: string, request: IntentRequest, card: string): Promise<Intent> {
  const { stripe } = parts;
  const params = { payment_method: card, return_url: withParameter(request.returnUrl, 'intentId', id) };
  const isPayment = id.startsWith('pi_');
  let isSent = true;
  const refused = async (): Promise<object> => {
    isSent = false;
    return {};
  };
  await callStripe<object>(
    () => (isPayment ? stripe.paymentIntents.confirm(id, params) : stripe.setupIntents.confirm(id, params)),
    refused,
  );
  const after = await requireIntent(parts, id);
  if (isSent || after.state !== 'open') return after;
  const ended = await endIntent(parts, id);
  return ended.state === 'cancelled' ? { ...ended, state: 'failed', reason: 'card_unknown' } : ended;
}

/**
 * Expires the page, so that the customer cannot also pay there.
 * @returns the intent if the page could not be closed
 */
async function closePage(parts: StripeParts, id: string): Promise<Intent | undefined> {
  const { stripe } = parts;
  await callStripe(
    () => stripe.checkout.sessions.expire(id),
    () => stripe.checkout.sessions.retrieve(id),
  );
  const closed = await requireIntent(parts, id);
  return closed.state === 'cancelled' ? undefined : closed;
}

async function createByCard(parts: StripeParts, request: IntentRequest, card: string): Promise<Intent> {
  const { names } = parts;
  const { reference } = request;
  const known = await names.find('payment', reference);
  const found = known === undefined ? undefined : await findStripeObjects(parts, known);
  if (known !== undefined && found?.session) {
    const intent = await toIntent(parts, known, found);
    if (intent.state !== 'open' && intent.state !== 'cancelled') return intent;
    const inTheWay = await closePage(parts, known);
    if (inTheWay) return inTheWay;
  } else if (known !== undefined && found) {
    const intent = await toIntent(parts, known, found);
    return intent.state === 'open' ? sendCard(parts, known, request, card) : intent;
  }
  const customer = await getOrCreateCustomer(parts, request.customer);
  const made = await callStripe(() => createWithoutPage(parts, request, customer, known));
  const id = await (known === undefined
    ? names.keep('payment', reference, made)
    : names.replace('payment', reference, known, made));
  if (id !== made) return requireIntent(parts, id);
  return sendCard(parts, id, request, card);
}

async function createPage(parts: StripeParts, request: IntentRequest): Promise<Intent> {
  const { stripe, names } = parts;
  const { reference } = request;
  const known = await names.find('payment', reference);
  const intent = known === undefined ? undefined : await readIntent(parts, known);
  if (intent && (intent.state !== 'open' || intent.url !== '')) return intent;
  // As far as the shop knows, no card was sent to it: replace it by a page, unless one was sent.
  const ended = intent && (await endIntent(parts, intent.id));
  if (ended && ended.state !== 'cancelled') return ended;
  const params = sessionParams(request, await getOrCreateCustomer(parts, request.customer));
  const key = `session/${reference}/${known ?? ''}`;
  const made = await callStripe(() => createOnce(key, (options) => stripe.checkout.sessions.create(params, options), true)).catch(
    async (error: unknown) => {
      // A concurrent call may have created the session.
      const other = await names.find('payment', reference);
      if (other === undefined || other === known) throw error;
      return { id: other };
    },
  );
  const id = await (known === undefined
    ? names.keep('payment', reference, made.id)
    : names.replace('payment', reference, known, made.id));
  return requireIntent(parts, id);
}

async function capture(parts: StripeParts, id: string): Promise<Intent> {
  const { stripe } = parts;
  const found = await findStripeObjects(parts, id);
  const before = found && (await toIntent(parts, id, found));
  if (!found || before?.state !== 'authorized') return before ?? requireIntent(parts, id);
  const { payment, setup } = found;
  if (payment) {
    await callStripe(
      () => stripe.paymentIntents.capture(payment.id),
      () => stripe.paymentIntents.retrieve(payment.id),
    );
    return requireIntent(parts, id);
  }
  const agreed = parseAgreement(setup?.metadata ?? null);
  if (!setup || !agreed) return before;
  await callStripe<unknown>(
    () => createStripeSubscription(parts, agreed, getExpandedId(setup.customer), getExpandedId(setup.payment_method)),
    (error) => {
      const failed = toReason(error.type === 'StripeCardError' ? error : { code: 'payment_failed' }) ?? 'payment_failed';
      return callStripe(() => stripe.setupIntents.update(setup.id, { metadata: { failed } }));
    },
  );
  return requireIntent(parts, id);
}

async function endIntent(parts: StripeParts, id: string): Promise<Intent> {
  const { stripe } = parts;
  const found = await findStripeObjects(parts, id);
  if (!found) return requireIntent(parts, id);
  const { session, payment, setup } = found;
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
  // A succeeded setup holds no money and cannot be cancelled at Stripe: metadata marks it
  // cancelled.
  else if (setup?.status === 'succeeded')
    await callStripe(() => stripe.setupIntents.update(setup.id, { metadata: { cancelled: '1' } }));
  else if (setup && setup.status !== 'canceled')
    await callStripe(
      () => stripe.setupIntents.cancel(setup.id),
      () => stripe.setupIntents.retrieve(setup.id),
    );
  return requireIntent(parts, id);
}

export const stripeIntents = (
  parts: StripeParts,
): Pick<PaymentPort, 'create' | 'read' | 'readByReference' | 'capture' | 'cancel'> => ({
  create(asked) {
    const request = { ...asked, description: asked.description.slice(0, MAX_NAME_CHARS) };
    return asked.cardToken === undefined ? createPage(parts, request) : createByCard(parts, request, asked.cardToken);
  },
  read: (id) => readIntent(parts, id),
  async readByReference(reference) {
    const id = await parts.names.find('payment', reference);
    return id === undefined ? undefined : readIntent(parts, id);
  },
  capture: (id) => capture(parts, id),
  cancel: (id) => endIntent(parts, id),
});
