import { createHash } from 'node:crypto';
import type { Orders } from 'razorpay/dist/types/orders.js';
import type { Payments } from 'razorpay/dist/types/payments.js';
import { DomainError } from '../../kernel/errors.ts';
import type { Gateway } from '../gateway.ts';
import type { GatewayNames } from '../gateway-names.ts';
import { type Intent, type IntentRequest, refundRefusedError, type PaymentPort, PaymentUnknown } from '../port.ts';
import { fromRazorpayAmount, toRazorpayAmount } from './amounts.ts';
import { callRazorpay, retrieveOrUndefined, type RazorpayAccess, razorpayClient } from './calls.ts';
import { toNotes, readNotes } from './notes.ts';
import { razorpayPages } from './pages.ts';
import {
  endSubscription,
  fetchSubscription,
  toFirstPayment,
  createSubscription,
  type RazorpayParts,
  razorpaySubscriptions,
} from './subscriptions.ts';
import { isSignedByRazorpay, readRazorpayWebhook } from './webhook.ts';
import { realNow } from '../../base/clock/time.ts';

/*
 * The store's intent is an order at Razorpay (`order_`), whose payment is authorised and then
 * captured, or the subscription itself (`sub_`).
 */

type Payment = Payments.RazorpayPayment;

/**
 * URL of the page that opens Razorpay's; it is on the shop's origin, as Razorpay's is opened by a
 * form.
 */
const toPageUrl = (returnUrl: string, id: string): string =>
  URL.canParse(returnUrl) ? `${new URL(returnUrl).origin}/payments/razorpay/${id}` : '';

function toReason({ error_reason: reason }: Payment): string {
  if (/insufficient/.test(reason ?? '')) return 'insufficient_funds';
  if (/expired_card|card_expired/.test(reason ?? '')) return 'expired_card';
  if (/authentication|otp/.test(reason ?? '')) return 'authentication_failed';
  return /declined/.test(reason ?? '') ? 'card_declined' : 'payment_failed';
}

const oldestFirst = (one: Payment, other: Payment): number => one.created_at - other.created_at || (one.id < other.id ? -1 : 1);

type Order = Orders.RazorpayOrder;

type OrderState = Pick<Intent, 'state' | 'reason'> & { authorized?: Payment; charged?: Payment };

/** State of an order: of several payments at most one is captured, the first authorised one. */
function toOrderState(order: Order, payments: Payment[]): OrderState {
  const failed = payments.findLast(({ status }) => status === 'failed');
  const reason = failed ? toReason(failed) : null;
  // An authorisation that lapses becomes `refunded` as well, but its order is not `paid`.
  const charged =
    payments.find(({ status }) => status === 'captured') ??
    (order.status === 'paid' ? payments.find(({ status }) => status === 'refunded') : undefined);
  if (charged) return { state: 'captured', reason, charged };
  if (order.status === 'paid') return { state: 'captured', reason };
  if (readNotes(order.notes)?.isCancelled) return { state: 'cancelled', reason: null };
  const authorized = payments.find(({ status }) => status === 'authorized');
  return authorized ? { state: 'authorized', reason, authorized } : { state: 'open', reason };
}

async function findOrder({ razorpay }: RazorpayParts, id: string) {
  const order = await retrieveOrUndefined<Order>(() => razorpay.orders.fetch(id));
  if (!order) return undefined;
  const { items } = await callRazorpay(() => razorpay.orders.fetchPayments(id));
  return { order, ...toOrderState(order, items.toSorted(oldestFirst)) };
}

async function readIntent(parts: RazorpayParts, id: string): Promise<Intent | undefined> {
  if (id.startsWith('sub_')) {
    const subscription = await fetchSubscription(parts, id);
    if (!subscription) return undefined;
    const url = toPageUrl(readNotes(subscription.notes)?.returnUrl ?? '', id);
    return { id, url, reason: null, keptCard: null, refundedMinor: 0, ...toFirstPayment(parts, subscription) };
  }
  if (!id.startsWith('order_')) return undefined;
  const found = await findOrder(parts, id);
  if (!found) return undefined;
  const { order, state, reason, charged } = found;
  const refundedMinor = charged ? fromRazorpayAmount(charged.amount_refunded ?? 0, charged.currency) : 0;
  return { id, url: toPageUrl(readNotes(order.notes)?.returnUrl ?? '', id), state, reason, keptCard: null, refundedMinor };
}

async function requireIntent(parts: RazorpayParts, id: string): Promise<Intent> {
  const intent = await readIntent(parts, id);
  if (!intent) throw new PaymentUnknown(new Error(`Razorpay does not know the payment ${id}.`));
  return intent;
}

async function createOrder({ razorpay }: RazorpayParts, request: IntentRequest): Promise<string> {
  const amount = toRazorpayAmount(request.amountMinor, request.currency);
  const made = await callRazorpay(() =>
    razorpay.orders.create({
      amount,
      currency: request.currency,
      // Razorpay allows 40 characters.
      receipt: createHash('sha256').update(request.reference).digest('hex').slice(0, 40),
      notes: toNotes(request),
      payment: { capture: 'manual' },
    }),
  );
  return made.id;
}

/**
 * Razorpay has no idempotency keys. A duplicate order, after a lost answer or a concurrent call, is
 * harmless: an order is only paid on its page, whose URL no customer gets, and expires unpaid.
 */
async function create(parts: RazorpayParts, request: IntentRequest): Promise<Intent> {
  const { names } = parts;
  const { reference, cardToken, subscription: terms } = request;
  if (cardToken !== undefined)
    throw new DomainError('payment_failed', 'This card can’t be used here.', { code: 'card_declined' });
  const known = await names.find('payment', reference);
  const intent = known === undefined ? undefined : await readIntent(parts, known);
  if (intent) return intent;
  const made = await (terms ? createSubscription(parts, request, terms) : createOrder(parts, request));
  const id = await (known === undefined
    ? names.keep('payment', reference, made)
    : names.replace('payment', reference, known, made));
  return requireIntent(parts, id);
}

async function capture(parts: RazorpayParts, id: string): Promise<Intent> {
  const { razorpay } = parts;
  const found = id.startsWith('order_') ? await findOrder(parts, id) : undefined;
  const payment = found?.authorized;
  if (payment)
    await callRazorpay<unknown>(
      () => razorpay.payments.capture(payment.id, payment.amount, payment.currency),
      () => razorpay.payments.fetch(payment.id),
    );
  return requireIntent(parts, id);
}

/**
 * Razorpay cannot cancel an order: a note marks it cancelled, which closes the shop's page for it.
 * Its authorised payment lapses uncaptured.
 */
async function cancel(parts: RazorpayParts, id: string): Promise<Intent> {
  const { razorpay } = parts;
  const intent = await requireIntent(parts, id);
  if (intent.state === 'captured' || intent.state === 'cancelled') return intent;
  if (id.startsWith('sub_')) await endSubscription(parts, id);
  else {
    const { notes } = await callRazorpay(() => razorpay.orders.fetch(id));
    await callRazorpay(() => razorpay.orders.edit(id, { notes: { ...notes, cancelled: '1' } }));
  }
  return requireIntent(parts, id);
}

/** Refunds a payment. Without an amount Razorpay refunds all that remains. */
async function refund(parts: RazorpayParts, id: string): Promise<Intent> {
  const { razorpay } = parts;
  const charged = id.startsWith('order_') ? (await findOrder(parts, id))?.charged : undefined;
  if (charged?.status === 'captured')
    await callRazorpay<unknown>(
      () => razorpay.payments.refund(charged.id, { speed: 'normal' }),
      async ({ error }) => {
        // It may have been refunded elsewhere in the meantime.
        const { status } = await callRazorpay(() => razorpay.payments.fetch(charged.id));
        if (status !== 'refunded') throw refundRefusedError(error?.description ?? 'Razorpay refused the refund.');
      },
    );
  return requireIntent(parts, id);
}

/** The Razorpay gateway: orders with manual capture, and Razorpay's subscriptions. */
export function razorpayGateway(access: RazorpayAccess, names: GatewayNames): Gateway {
  const razorpay = razorpayClient(access);
  const parts = { razorpay, names, now: access.now ?? realNow };
  const port: PaymentPort = {
    provider: 'razorpay',
    methods: ['upi', 'wallet', 'netbanking'],
    resumes: false,
    isUp: async () => {
      try {
        await callRazorpay(() => razorpay.orders.all({ count: 1 }));
        return true;
      } catch {
        return false;
      }
    },
    create: (request) => create(parts, request),
    read: (id) => readIntent(parts, id),
    async readByReference(reference) {
      const id = await names.find('payment', reference);
      return id === undefined ? undefined : readIntent(parts, id);
    },
    capture: (id) => capture(parts, id),
    cancel: (id) => cancel(parts, id),
    refund: (id) => refund(parts, id),
    ...razorpaySubscriptions(parts),
  };
  return {
    port,
    webhooks: { path: '/webhooks/razorpay', read: readRazorpayWebhook(razorpay, access.webhookSecret) },
    pages: razorpayPages(parts, access),
    verify: ({ paymentId, subscriptionId, signature }) =>
      isSignedByRazorpay({ payment_id: paymentId, subscription_id: subscriptionId }, signature, access.keySecret),
  };
}
