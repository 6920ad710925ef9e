import { createHash, randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import type { GatewayNames } from '../gateway-names.ts';
import type { SavedCard, PaymentPort, SetupRequest } from '../port.ts';
import { getFirstLanguage } from '../../base/language.ts';
import { withParameter } from '../return-address.ts';
import { callStripe, retrieveOrUndefined, createOnce } from './calls.ts';

/** Dependencies shared by the Stripe modules. */
export type StripeContext = { stripe: Stripe; names: GatewayNames; now: () => number };

const HOUR_S = 60 * 60;
const nowInSeconds = ({ now }: StripeContext): number => Math.floor(now() / 1000);

const BRANDS: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

/**
 * Returns the id of Stripe's customer for a customer of the store. Stripe's customer is created on
 * first use, without personal data: it has only the store's reference.
 */
export async function getOrCreateCustomer({ stripe, names }: StripeContext, customer: string): Promise<string> {
  const storedId = await names.find('customer', customer);
  if (storedId !== undefined) return storedId;
  const createdCustomer = await callStripe(() =>
    createOnce(`customer/${customer}`, (options) => stripe.customers.create({ metadata: { customer } }, options)),
  );
  return names.storeOnce('customer', customer, createdCustomer.id);
}

/** Converts a payment method to a saved card; null for other methods, or without a customer. */
export async function toSavedCard(
  { stripe }: StripeContext,
  method: string | Stripe.PaymentMethod | null,
): Promise<SavedCard | null> {
  if (method === null || typeof method === 'string' || !method.card || method.customer === null) return null;
  const customer = typeof method.customer === 'string' ? method.customer : method.customer.id;
  const { card } = method;
  const paymentMethods = await callStripe(() => stripe.customers.listPaymentMethods(customer, { type: 'card', limit: 100 }));
  // Only older methods: with webhooks in any sequence, two methods must not replace each other.
  const isOlder = (other: Stripe.PaymentMethod): boolean =>
    other.created < method.created || (other.created === method.created && other.id < method.id);
  const isSameCard = (other: Stripe.PaymentMethod): boolean =>
    other.id !== method.id && other.card?.fingerprint === card.fingerprint && other.allow_redisplay === 'always';
  return {
    token: method.id,
    brand: BRANDS[card.brand] ?? 'Card',
    last4: card.last4,
    expMonth: card.exp_month,
    expYear: card.exp_year,
    replaces: paymentMethods.data.filter((other) => isSameCard(other) && isOlder(other)).map(({ id }) => id),
  };
}

const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/**
 * Creates the page for saving a card. Half of the card token is a secret that is only in the return
 * URL.
 * @returns the page's URL
 */
async function startCardSetup(context: StripeContext, request: SetupRequest): Promise<string> {
  const { stripe } = context;
  const secret = randomBytes(24).toString('base64url');
  const customer = await getOrCreateCustomer(context, request.customer);
  const session = await callStripe(() =>
    stripe.checkout.sessions.create({
      mode: 'setup',
      customer,
      allowed_payment_method_types: ['card'],
      success_url: withParameter(request.returnUrl, 'cardtoken', `{CHECKOUT_SESSION_ID}.${secret}`),
      cancel_url: request.returnUrl,
      locale: getFirstLanguage(request.language) ?? 'auto',
      expires_at: nowInSeconds(context) + HOUR_S,
      metadata: { card_token: hashSecret(secret) },
    }),
  );
  return session.url ?? request.returnUrl;
}

/** Creates a session of Stripe's portal, which replaces a subscription's card. @returns its URL */
async function startPortal(context: StripeContext, request: SetupRequest): Promise<string> {
  const { stripe } = context;
  const customer = await getOrCreateCustomer(context, request.customer);
  const session = await callStripe(() =>
    stripe.billingPortal.sessions.create({
      customer,
      return_url: request.returnUrl,
      locale: getFirstLanguage(request.language) ?? 'auto',
      flow_data: {
        type: 'payment_method_update',
        after_completion: { type: 'redirect', redirect: { return_url: request.returnUrl } },
      },
    }),
  );
  return session.url;
}

async function claimCard(context: StripeContext, token: string, customer: string): Promise<SavedCard | undefined> {
  const { stripe, names } = context;
  const [sessionId = '', secret = ''] = token.split('.');
  if (!/^cs_\w+$/.test(sessionId)) return undefined;
  const stripeCustomer = await names.find('customer', customer);
  if (stripeCustomer === undefined) return undefined;
  const session = await retrieveOrUndefined(() =>
    stripe.checkout.sessions.retrieve(sessionId, { expand: ['setup_intent.payment_method'] }),
  );
  const setup = session?.setup_intent;
  const isCompleteAndOwn = session?.mode === 'setup' && session.status === 'complete' && session.customer === stripeCustomer;
  if (!isCompleteAndOwn || session.metadata?.['card_token'] !== hashSecret(secret) || !setup || typeof setup === 'string')
    return undefined;
  // One hour for the page, and one for the return.
  if (session.created + 2 * HOUR_S < nowInSeconds(context)) return undefined;
  const card = await toSavedCard(context, setup.payment_method);
  if (!card) return undefined;
  // A subscription's card is attached to the customer as well, but only cards with `always` are
  // offered for other payments.
  await callStripe(() => stripe.paymentMethods.update(card.token, { allow_redisplay: 'always' }));
  return card;
}

export const createCardCalls = (context: StripeContext): Pick<PaymentPort, 'startSetup' | 'claimSetup' | 'forgetCard'> => ({
  startSetup: (request) =>
    request.subscription === undefined ? startCardSetup(context, request) : startPortal(context, request),
  claimSetup: (token, customer) => claimCard(context, token, customer),
  async forgetCard(token) {
    const { stripe } = context;
    const method = await retrieveOrUndefined(() => stripe.paymentMethods.retrieve(token));
    // Already detached by a call whose response was lost.
    if (!method || method.customer === null) return;
    await callStripe(() => stripe.paymentMethods.detach(token));
  },
});
