import { createHash, randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import type { GatewayNames } from '../gateway-names.ts';
import type { KeptCard, PaymentPort, SetupRequest } from '../port.ts';
import { firstLanguage } from '../../base/language.ts';
import { withParameter } from '../return-address.ts';
import { ask, look, once } from './asking.ts';

/** What everything here works with. */
export type StripeParts = { stripe: Stripe; names: GatewayNames; now: () => number };

const HOUR = 60 * 60;
const secondsOf = ({ now }: StripeParts): number => Math.floor(now() / 1000);

const BRANDS: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

/** Stripe's customer for one of the store's: made when there is none yet, with nothing of theirs but the store's own name for them. */
export async function stripeCustomer({ stripe, names }: StripeParts, customer: string): Promise<string> {
  const known = await names.find('customer', customer);
  if (known !== undefined) return known;
  const made = await ask(() =>
    once(`customer/${customer}`, (options) => stripe.customers.create({ metadata: { customer } }, options)),
  );
  return names.keep('customer', customer, made.id);
}

/** A card as the store keeps it; null for what is no card, or is not kept for a customer. */
export async function keptCard({ stripe }: StripeParts, method: string | Stripe.PaymentMethod | null): Promise<KeptCard | null> {
  if (method === null || typeof method === 'string' || !method.card || method.customer === null) return null;
  const customer = typeof method.customer === 'string' ? method.customer : method.customer.id;
  const { card } = method;
  const all = await ask(() => stripe.customers.listPaymentMethods(customer, { type: 'card', limit: 100 }));
  // Older ones alone: of two that are told of in turns none may replace the other.
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

/** The page of a setup, and the token that leads home from it: half of it is in no address but that one. */
async function startCard(parts: StripeParts, request: SetupRequest): Promise<string> {
  const { stripe } = parts;
  const secret = randomBytes(24).toString('base64url');
  const customer = await stripeCustomer(parts, request.customer);
  const session = await ask(() =>
    stripe.checkout.sessions.create({
      mode: 'setup',
      customer,
      allowed_payment_method_types: ['card'],
      success_url: withParameter(request.returnUrl, 'cardtoken', `{CHECKOUT_SESSION_ID}.${secret}`),
      cancel_url: request.returnUrl,
      locale: firstLanguage(request.language) ?? 'auto',
      expires_at: secondsOf(parts) + HOUR,
      metadata: { card_token: digest(secret) },
    }),
  );
  return session.url ?? request.returnUrl;
}

/** Stripe's own portal: it changes the card that renews a subscription. */
async function startPortal(parts: StripeParts, request: SetupRequest): Promise<string> {
  const { stripe } = parts;
  const customer = await stripeCustomer(parts, request.customer);
  const session = await ask(() =>
    stripe.billingPortal.sessions.create({
      customer,
      return_url: request.returnUrl,
      locale: firstLanguage(request.language) ?? 'auto',
      flow_data: {
        type: 'payment_method_update',
        after_completion: { type: 'redirect', redirect: { return_url: request.returnUrl } },
      },
    }),
  );
  return session.url;
}

async function claim(parts: StripeParts, token: string, customer: string): Promise<KeptCard | undefined> {
  const { stripe, names } = parts;
  const [sessionId = '', secret = ''] = token.split('.');
  if (!/^cs_\w+$/.test(sessionId)) return undefined;
  const own = await names.find('customer', customer);
  if (own === undefined) return undefined;
  const session = await look(() => stripe.checkout.sessions.retrieve(sessionId, { expand: ['setup_intent.payment_method'] }));
  const setup = session?.setup_intent;
  const isTheirs = session?.mode === 'setup' && session.status === 'complete' && session.customer === own;
  if (!isTheirs || session.metadata?.['card_token'] !== digest(secret) || !setup || typeof setup === 'string') return undefined;
  // An hour for the page, and one for the way home.
  if (session.created + 2 * HOUR < secondsOf(parts)) return undefined;
  const card = await keptCard(parts, setup.payment_method);
  if (!card) return undefined;
  // What a subscription is renewed by is attached to the customer as well: only this one is shown again.
  await ask(() => stripe.paymentMethods.update(card.token, { allow_redisplay: 'always' }));
  return card;
}

export const stripeCards = (parts: StripeParts): Pick<PaymentPort, 'startSetup' | 'claimSetup' | 'forgetCard'> => ({
  startSetup: (request) => (request.subscription === undefined ? startCard(parts, request) : startPortal(parts, request)),
  claimSetup: (token, customer) => claim(parts, token, customer),
  async forgetCard(token) {
    const { stripe } = parts;
    const method = await look(() => stripe.paymentMethods.retrieve(token));
    // Forgotten before, by an answer that was lost.
    if (!method || method.customer === null) return;
    await ask(() => stripe.paymentMethods.detach(token));
  },
});
