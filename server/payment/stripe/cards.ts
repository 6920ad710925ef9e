import { createHash, randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import type { GatewayNames } from '../gateway-names.ts';
import type { SavedCard, PaymentPort, SetupRequest } from '../port.ts';
import { getFirstLanguage } from '../../base/language.ts';
import { withParameter } from '../return-address.ts';
import { callStripe, retrieveOrUndefined, createOnce } from './calls.ts';

/** Dependencies shared by the Stripe modules. */
export type StripeParts = { stripe: Stripe; names: GatewayNames; now: () => number };

const HOUR_S = 60 * 60;
const nowInSeconds = ({ now }: StripeParts): number => Math.floor(now() / 1000);

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
 * Stripe's customer for a customer of the store. It is created on first use, without personal data:
 * it has only the store's reference.
 */
export async function getOrCreateCustomer({ stripe, names }: StripeParts, customer: string): Promise<string> {
  const known = await names.find('customer', customer);
  if (known !== undefined) return known;
  const made = await callStripe(() =>
    createOnce(`customer/${customer}`, (options) => stripe.customers.create({ metadata: { customer } }, options)),
  );
  return names.keep('customer', customer, made.id);
}

/** Converts a payment method to a saved card; null if it is not a card, or has no customer. */
export async function toSavedCard(
  { stripe }: StripeParts,
  method: string | Stripe.PaymentMethod | null,
): Promise<SavedCard | null> {
  if (method === null || typeof method === 'string' || !method.card || method.customer === null) return null;
  const customer = typeof method.customer === 'string' ? method.customer : method.customer.id;
  const { card } = method;
  const all = await callStripe(() => stripe.customers.listPaymentMethods(customer, { type: 'card', limit: 100 }));
  // Only older methods: with webhooks in any order, two methods must not replace each other.
  const isOlder = (other: Stripe.PaymentMethod): boolean =>
    other.created < method.created || (other.created === method.created && other.id < method.id);
  const isSame = (other: Stripe.PaymentMethod): boolean =>
    other.id !== method.id && other.card?.fingerprint === card.fingerprint && other.allow_redisplay === 'always';
  return {
    token: method.id,
    brand: BRANDS[card.brand] ?? 'Card',
    last4: card.last4,
    expMonth: card.exp_month,
    expYear: card.exp_year,
    replaces: all.data.filter((other) => isSame(other) && isOlder(other)).map(({ id }) => id),
  };
}

const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/**
 * Creates the page for saving a card. Half of the card token is a secret that is only in the return
 * URL.
 */
async function startCardSetup(parts: StripeParts, request: SetupRequest): Promise<string> {
  const { stripe } = parts;
  const secret = randomBytes(24).toString('base64url');
  const customer = await getOrCreateCustomer(parts, request.customer);
  const session = await callStripe(() =>
    stripe.checkout.sessions.create({
      mode: 'setup',
      customer,
      allowed_payment_method_types: ['card'],
      success_url: withParameter(request.returnUrl, 'cardtoken', `{CHECKOUT_SESSION_ID}.${secret}`),
      cancel_url: request.returnUrl,
      locale: getFirstLanguage(request.language) ?? 'auto',
      expires_at: nowInSeconds(parts) + HOUR_S,
      metadata: { card_token: digest(secret) },
    }),
  );
  return session.url ?? request.returnUrl;
}

/** Creates a session of Stripe's portal, which replaces the card of a subscription. */
async function startPortal(parts: StripeParts, request: SetupRequest): Promise<string> {
  const { stripe } = parts;
  const customer = await getOrCreateCustomer(parts, request.customer);
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

async function claimCard(parts: StripeParts, token: string, customer: string): Promise<SavedCard | undefined> {
  const { stripe, names } = parts;
  const [sessionId = '', secret = ''] = token.split('.');
  if (!/^cs_\w+$/.test(sessionId)) return undefined;
  const own = await names.find('customer', customer);
  if (own === undefined) return undefined;
  const session = await retrieveOrUndefined(() =>
    stripe.checkout.sessions.retrieve(sessionId, { expand: ['setup_intent.payment_method'] }),
  );
  const setup = session?.setup_intent;
  const isTheirs = session?.mode === 'setup' && session.status === 'complete' && session.customer === own;
  if (!isTheirs || session.metadata?.['card_token'] !== digest(secret) || !setup || typeof setup === 'string') return undefined;
  // One hour for the page, and one for the return.
  if (session.created + 2 * HOUR_S < nowInSeconds(parts)) return undefined;
  const card = await toSavedCard(parts, setup.payment_method);
  if (!card) return undefined;
  // A subscription's card is attached to the customer as well: only cards with `always` are offered
  // again.
  await callStripe(() => stripe.paymentMethods.update(card.token, { allow_redisplay: 'always' }));
  return card;
}

export const stripeCards = (parts: StripeParts): Pick<PaymentPort, 'startSetup' | 'claimSetup' | 'forgetCard'> => ({
  startSetup: (request) => (request.subscription === undefined ? startCardSetup(parts, request) : startPortal(parts, request)),
  claimSetup: (token, customer) => claimCard(parts, token, customer),
  async forgetCard(token) {
    const { stripe } = parts;
    const method = await retrieveOrUndefined(() => stripe.paymentMethods.retrieve(token));
    // Already detached by a call whose answer was lost.
    if (!method || method.customer === null) return;
    await callStripe(() => stripe.paymentMethods.detach(token));
  },
});
