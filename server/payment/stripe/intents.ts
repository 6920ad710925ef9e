import type Stripe from 'stripe';
import { type Intent, type IntentRequest, type PaymentPort, PaymentUnknown } from '../port.ts';
import { firstLanguage } from '../../base/language.ts';
import { withParameter } from '../return-address.ts';
import { stripeAmount } from './amounts.ts';
import { ask, look, once } from './asking.ts';
import { stripeCustomer, type StripeParts } from './cards.ts';
import { idOf, whole } from './expanded.ts';
import { reasonOf, stage, stageOfPayment, stageOfSetup } from './stages.ts';
import { agreedAsTexts, agreedIn, startSubscription } from './subscriptions.ts';

/*
 * An intent of the store is one of three things at Stripe, told apart by its id: a Checkout Session (`cs_`), whose page takes a card; a
 * payment (`pi_`) or a setup (`seti_`) by a kept card, without a page. A setup stands for the first payment of a subscription, which
 * is charged when the subscription is made.
 */

/** Characters of what a page calls the thing that is paid for. */
const LONGEST_NAME = 250;

/**
 * Of these Checkout offers what the account has and the payment allows. Apple Pay and Google Pay are cards to Stripe, which also leaves
 * a way to those for whom there is no wallet.
 */
const WALLETS: Stripe.Checkout.SessionCreateParams.AllowedPaymentMethodType[] = ['card', 'link', 'paypal', 'amazon_pay'];

const EXPAND = ['payment_intent.payment_method', 'payment_intent.latest_charge', 'setup_intent.payment_method'];

/** What Stripe has under an id of the store's intents. */
type Found = { session?: Stripe.Checkout.Session; payment?: Stripe.PaymentIntent; setup?: Stripe.SetupIntent };

export async function find({ stripe }: StripeParts, id: string): Promise<Found | undefined> {
  if (id.startsWith('pi_')) {
    const payment = await look(() => stripe.paymentIntents.retrieve(id, { expand: ['payment_method', 'latest_charge'] }));
    return payment && { payment };
  }
  if (id.startsWith('seti_')) {
    const setup = await look(() => stripe.setupIntents.retrieve(id, { expand: ['payment_method'] }));
    return setup && { setup };
  }
  if (!id.startsWith('cs_')) return undefined;
  const session = await look(() => stripe.checkout.sessions.retrieve(id, { expand: EXPAND }));
  if (!session) return undefined;
  const [payment, setup] = [whole(session.payment_intent), whole(session.setup_intent)];
  return { session, ...(payment ? { payment } : {}), ...(setup ? { setup } : {}) };
}

const redirectOf = (part: Stripe.PaymentIntent | Stripe.SetupIntent | undefined): string =>
  part?.next_action?.redirect_to_url?.url ?? '';

/**
 * The intent as it stands. One without a page whose card was not taken is ended: no other card may pay it.
 * @param isEnded that was tried before; Stripe may refuse it
 */
async function intentOf(parts: StripeParts, id: string, { session, payment, setup }: Found, isEnded = false): Promise<Intent> {
  const { stripe } = parts;
  const shown = { id, url: session?.url ?? redirectOf(payment ?? setup) };
  if (session && session.status !== 'complete') {
    const failure = payment?.last_payment_error ?? setup?.last_setup_error ?? null;
    return { ...shown, ...stage(session.status === 'open' ? 'open' : 'cancelled', reasonOf(failure)) };
  }
  const now = await (payment ? stageOfPayment(parts, payment) : setup ? stageOfSetup(parts, setup) : stage('open'));
  const isRefused = session === undefined && now.state === 'open' && now.reason !== null;
  if (!isRefused || isEnded) return { ...shown, ...now };
  if (payment)
    await ask(
      () => stripe.paymentIntents.cancel(id),
      () => stripe.paymentIntents.retrieve(id),
    );
  else
    await ask(
      () => stripe.setupIntents.cancel(id),
      () => stripe.setupIntents.retrieve(id),
    );
  return intentOf(parts, id, (await find(parts, id)) ?? {}, true);
}

async function read(parts: StripeParts, id: string): Promise<Intent | undefined> {
  const found = await find(parts, id);
  return found && intentOf(parts, id, found);
}

export async function must(parts: StripeParts, id: string): Promise<Intent> {
  const intent = await read(parts, id);
  if (!intent) throw new PaymentUnknown(new Error('Stripe does not know the payment.'));
  return intent;
}

/** A page for the payment. Nothing is charged there: the card is authorised, or set up for a subscription. */
function sessionParams(request: IntentRequest, customer: string): Stripe.Checkout.SessionCreateParams {
  const { reference, currency, description, subscription: terms, returnUrl } = request;
  const page = {
    customer,
    client_reference_id: reference,
    success_url: withParameter(returnUrl, 'intentId', '{CHECKOUT_SESSION_ID}'),
    cancel_url: withParameter(returnUrl, 'cancelled', '1'),
    locale: firstLanguage(request.language) ?? 'auto',
    metadata: { reference },
  } as const satisfies Stripe.Checkout.SessionCreateParams;
  if (terms) {
    const metadata = agreedAsTexts({ reference, currency, description, terms });
    return { ...page, allowed_payment_method_types: ['card'], mode: 'setup', setup_intent_data: { description, metadata } };
  }
  const price_data = {
    currency: currency.toLowerCase(),
    unit_amount: stripeAmount(request.amountMinor, currency),
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
 * A payment or setup without a page, which holds nothing until a card is sent to it.
 * @param known the intent in whose place it comes
 */
async function makeBare({ stripe }: StripeParts, request: IntentRequest, customer: string, known = ''): Promise<string> {
  const { reference, currency, description, subscription: terms, amountMinor } = request;
  const bare = {
    customer,
    description,
    allowed_payment_method_types: ['card'],
  } satisfies Stripe.PaymentIntentUpdateParams & Stripe.SetupIntentUpdateParams;
  if (terms) {
    const metadata = { ...agreedAsTexts({ reference, currency, description, terms }), page: 'none' };
    const setup = await once(
      `setup/${reference}/${known}`,
      (options) => stripe.setupIntents.create({ ...bare, usage: 'off_session', metadata }, options),
      true,
    );
    return setup.id;
  }
  const amount = { amount: stripeAmount(amountMinor, currency), currency: currency.toLowerCase() };
  const metadata = { reference, page: 'none' };
  const payment = await once(
    `card/${reference}/${known}`,
    (options) => stripe.paymentIntents.create({ ...bare, ...amount, capture_method: 'manual', metadata }, options),
    true,
  );
  return payment.id;
}

/** Sends a kept card to what has no page. A card that cannot be sent at all ends it as one that is declined. */
async function sendCard(parts: StripeParts, id: string, request: IntentRequest, card: string): Promise<Intent> {
  const { stripe } = parts;
  const params = { payment_method: card, return_url: withParameter(request.returnUrl, 'intentId', id) };
  const isPayment = id.startsWith('pi_');
  let isSent = true;
  const refused = async (): Promise<object> => {
    isSent = false;
    return {};
  };
  await ask<object>(
    () => (isPayment ? stripe.paymentIntents.confirm(id, params) : stripe.setupIntents.confirm(id, params)),
    refused,
  );
  const after = await must(parts, id);
  if (isSent || after.state !== 'open') return after;
  const ended = await endIntent(parts, id);
  return ended.state === 'cancelled' ? { ...ended, state: 'failed', reason: 'card_unknown' } : ended;
}

/** Takes the page away, so that nobody pays there what a kept card pays. @returns what stands in the way of that */
async function closePage(parts: StripeParts, id: string): Promise<Intent | undefined> {
  const { stripe } = parts;
  await ask(
    () => stripe.checkout.sessions.expire(id),
    () => stripe.checkout.sessions.retrieve(id),
  );
  const closed = await must(parts, id);
  return closed.state === 'cancelled' ? undefined : closed;
}

async function createByCard(parts: StripeParts, request: IntentRequest, card: string): Promise<Intent> {
  const { names } = parts;
  const { reference } = request;
  const known = await names.find('payment', reference);
  const found = known === undefined ? undefined : await find(parts, known);
  if (known !== undefined && found?.session) {
    const intent = await intentOf(parts, known, found);
    if (intent.state !== 'open' && intent.state !== 'cancelled') return intent;
    const inTheWay = await closePage(parts, known);
    if (inTheWay) return inTheWay;
  } else if (known !== undefined && found) {
    const intent = await intentOf(parts, known, found);
    return intent.state === 'open' ? sendCard(parts, known, request, card) : intent;
  }
  const customer = await stripeCustomer(parts, request.customer);
  const made = await ask(() => makeBare(parts, request, customer, known));
  const id = await (known === undefined
    ? names.keep('payment', reference, made)
    : names.replace('payment', reference, known, made));
  if (id !== made) return must(parts, id);
  return sendCard(parts, id, request, card);
}

async function createPage(parts: StripeParts, request: IntentRequest): Promise<Intent> {
  const { stripe, names } = parts;
  const { reference } = request;
  const known = await names.find('payment', reference);
  const intent = known === undefined ? undefined : await read(parts, known);
  if (intent && (intent.state !== 'open' || intent.url !== '')) return intent;
  // No card was ever sent to it, as far as was heard: a page comes in its place, unless one was.
  const ended = intent && (await endIntent(parts, intent.id));
  if (ended && ended.state !== 'cancelled') return ended;
  const params = sessionParams(request, await stripeCustomer(parts, request.customer));
  const key = `session/${reference}/${known ?? ''}`;
  const made = await ask(() => once(key, (options) => stripe.checkout.sessions.create(params, options), true)).catch(
    async (error: unknown) => {
      // Another call makes it at this moment.
      const other = await names.find('payment', reference);
      if (other === undefined || other === known) throw error;
      return { id: other };
    },
  );
  const id = await (known === undefined
    ? names.keep('payment', reference, made.id)
    : names.replace('payment', reference, known, made.id));
  return must(parts, id);
}

async function capture(parts: StripeParts, id: string): Promise<Intent> {
  const { stripe } = parts;
  const found = await find(parts, id);
  const before = found && (await intentOf(parts, id, found));
  if (!found || before?.state !== 'authorized') return before ?? must(parts, id);
  const { payment, setup } = found;
  if (payment) {
    await ask(
      () => stripe.paymentIntents.capture(payment.id),
      () => stripe.paymentIntents.retrieve(payment.id),
    );
    return must(parts, id);
  }
  const agreed = agreedIn(setup?.metadata ?? null);
  if (!setup || !agreed) return before;
  await ask<unknown>(
    () => startSubscription(parts, agreed, idOf(setup.customer), idOf(setup.payment_method)),
    (error) => {
      const failed = reasonOf(error.type === 'StripeCardError' ? error : { code: 'payment_failed' }) ?? 'payment_failed';
      return ask(() => stripe.setupIntents.update(setup.id, { metadata: { failed } }));
    },
  );
  return must(parts, id);
}

async function endIntent(parts: StripeParts, id: string): Promise<Intent> {
  const { stripe } = parts;
  const found = await find(parts, id);
  if (!found) return must(parts, id);
  const { session, payment, setup } = found;
  if (session?.status === 'open')
    await ask(
      () => stripe.checkout.sessions.expire(id),
      () => stripe.checkout.sessions.retrieve(id),
    );
  else if (payment && payment.status !== 'succeeded' && payment.status !== 'canceled')
    await ask(
      () => stripe.paymentIntents.cancel(payment.id),
      () => stripe.paymentIntents.retrieve(payment.id),
    );
  // A setup that has succeeded holds nothing and cannot be cancelled: it is marked.
  else if (setup?.status === 'succeeded') await ask(() => stripe.setupIntents.update(setup.id, { metadata: { cancelled: '1' } }));
  else if (setup && setup.status !== 'canceled')
    await ask(
      () => stripe.setupIntents.cancel(setup.id),
      () => stripe.setupIntents.retrieve(setup.id),
    );
  return must(parts, id);
}

export const stripeIntents = (
  parts: StripeParts,
): Pick<PaymentPort, 'create' | 'read' | 'readByReference' | 'capture' | 'cancel'> => ({
  create(asked) {
    const request = { ...asked, description: asked.description.slice(0, LONGEST_NAME) };
    return asked.cardToken === undefined ? createPage(parts, request) : createByCard(parts, request, asked.cardToken);
  },
  read: (id) => read(parts, id),
  async readByReference(reference) {
    const id = await parts.names.find('payment', reference);
    return id === undefined ? undefined : read(parts, id);
  },
  capture: (id) => capture(parts, id),
  cancel: (id) => endIntent(parts, id),
});
