import { createHash } from 'node:crypto';
import type { Orders } from 'razorpay/dist/types/orders.js';
import type { Payments } from 'razorpay/dist/types/payments.js';
import { DomainError } from '../../kernel/errors.ts';
import type { Gateway } from '../gateway.ts';
import type { GatewayNames } from '../gateway-names.ts';
import { type Intent, type IntentRequest, refundRefusedError, type PaymentPort, PaymentUnknown } from '../port.ts';
import { fromRazorpayAmount, toRazorpayAmount } from './amounts.ts';
import { callRazorpay, retrieveOrUndefined, type RazorpayAccess, createRazorpayClient } from './calls.ts';
import { toNotes, readNotes } from './notes.ts';
import { createRedirectPages } from './pages.ts';
import {
  endSubscription,
  fetchSubscription,
  toFirstPayment,
  createSubscription,
  type RazorpayContext,
  createSubscriptionCalls,
} from './subscriptions.ts';
import { isSignedByRazorpay, createRazorpayWebhookReader } from './webhook.ts';
import { realNow } from '../../base/clock/time.ts';

/*
 * The store's intent is an order at Razorpay (`order_`), whose payment is authorised and then
 * captured, or the subscription itself (`sub_`).
 */

type Payment = Payments.RazorpayPayment;

/**
 * Returns the URL of the shop's page that opens Razorpay's page by a form; empty for an invalid
 * return URL.
 */
const toPageUrl = (returnUrl: string, id: string): string =>
  URL.canParse(returnUrl) ? `${new URL(returnUrl).origin}/payments/razorpay/${id}` : '';

function toReason({ error_reason: reason }: Payment): string {
  if (/insufficient/.test(reason ?? '')) return 'insufficient_funds';
  if (/expired_card|card_expired/.test(reason ?? '')) return 'expired_card';
  if (/authentication|otp/.test(reason ?? '')) return 'authentication_failed';
  return /declined/.test(reason ?? '') ? 'card_declined' : 'payment_failed';
}

const compareByAge = (a: Payment, b: Payment): number => a.created_at - b.created_at || (a.id < b.id ? -1 : 1);

type Order = Orders.RazorpayOrder;

type OrderState = Pick<Intent, 'state' | 'reason'> & { authorizedPayment?: Payment; chargedPayment?: Payment };

/** Computes an order's state. Of several payments, only the first authorised one is captured. */
function toOrderState(order: Order, payments: Payment[]): OrderState {
  const lastFailure = payments.findLast(({ status }) => status === 'failed');
  const reason = lastFailure ? toReason(lastFailure) : null;
  // An authorisation that lapses becomes `refunded` as well, but its order never becomes `paid`.
  const chargedPayment =
    payments.find(({ status }) => status === 'captured') ??
    (order.status === 'paid' ? payments.find(({ status }) => status === 'refunded') : undefined);
  if (chargedPayment) return { state: 'captured', reason, chargedPayment };
  if (order.status === 'paid') return { state: 'captured', reason };
  if (readNotes(order.notes)?.isCancelled) return { state: 'cancelled', reason: null };
  const authorizedPayment = payments.find(({ status }) => status === 'authorized');
  return authorizedPayment ? { state: 'authorized', reason, authorizedPayment } : { state: 'open', reason };
}

async function findOrder({ razorpay }: RazorpayContext, id: string) {
  const order = await retrieveOrUndefined<Order>(() => razorpay.orders.fetch(id));
  if (!order) return undefined;
  const { items } = await callRazorpay(() => razorpay.orders.fetchPayments(id));
  return { order, ...toOrderState(order, items.toSorted(compareByAge)) };
}

async function readIntent(context: RazorpayContext, id: string): Promise<Intent | undefined> {
  if (id.startsWith('sub_')) {
    const subscription = await fetchSubscription(context, id);
    if (!subscription) return undefined;
    const url = toPageUrl(readNotes(subscription.notes)?.returnUrl ?? '', id);
    return { id, url, reason: null, keptCard: null, refundedMinor: 0, ...toFirstPayment(context, subscription) };
  }
  if (!id.startsWith('order_')) return undefined;
  const foundOrder = await findOrder(context, id);
  if (!foundOrder) return undefined;
  const { order, state, reason, chargedPayment } = foundOrder;
  const refundedMinor = chargedPayment ? fromRazorpayAmount(chargedPayment.amount_refunded ?? 0, chargedPayment.currency) : 0;
  return { id, url: toPageUrl(readNotes(order.notes)?.returnUrl ?? '', id), state, reason, keptCard: null, refundedMinor };
}

async function requireIntent(context: RazorpayContext, id: string): Promise<Intent> {
  const intent = await readIntent(context, id);
  if (!intent) throw new PaymentUnknown(new Error(`Razorpay does not know the payment ${id}.`));
  return intent;
}

async function createOrder({ razorpay }: RazorpayContext, request: IntentRequest): Promise<string> {
  const amount = toRazorpayAmount(request.amountMinor, request.currency);
  const order = await callRazorpay(() =>
    razorpay.orders.create({
      amount,
      currency: request.currency,
      // Razorpay allows 40 characters.
      receipt: createHash('sha256').update(request.reference).digest('hex').slice(0, 40),
      notes: toNotes(request),
      payment: { capture: 'manual' },
    }),
  );
  return order.id;
}

/**
 * Creates an intent, or returns the stored one. Razorpay has no idempotency keys. A duplicate
 * order, after a lost response or a concurrent call, is harmless: it can only be paid on its page,
 * whose URL no customer gets.
 */
async function create(context: RazorpayContext, request: IntentRequest): Promise<Intent> {
  const { names } = context;
  const { reference, cardToken, subscription: terms } = request;
  if (cardToken !== undefined)
    throw new DomainError('payment_failed', 'This card can’t be used here.', { code: 'card_declined' });
  const storedId = await names.find('payment', reference);
  const intent = storedId === undefined ? undefined : await readIntent(context, storedId);
  if (intent) return intent;
  const createdId = await (terms ? createSubscription(context, request, terms) : createOrder(context, request));
  const id = await (storedId === undefined
    ? names.storeOnce('payment', reference, createdId)
    : names.replace('payment', reference, storedId, createdId));
  return requireIntent(context, id);
}

async function capture(context: RazorpayContext, id: string): Promise<Intent> {
  const { razorpay } = context;
  const foundOrder = id.startsWith('order_') ? await findOrder(context, id) : undefined;
  const payment = foundOrder?.authorizedPayment;
  if (payment)
    await callRazorpay<unknown>(
      () => razorpay.payments.capture(payment.id, payment.amount, payment.currency),
      () => razorpay.payments.fetch(payment.id),
    );
  return requireIntent(context, id);
}

/**
 * Razorpay cannot cancel an order: a note marks it cancelled, which closes the shop's page for it.
 * Its authorised payment lapses uncaptured.
 */
async function cancel(context: RazorpayContext, id: string): Promise<Intent> {
  const { razorpay } = context;
  const intent = await requireIntent(context, id);
  if (intent.state === 'captured' || intent.state === 'cancelled') return intent;
  if (id.startsWith('sub_')) await endSubscription(context, id);
  else {
    const { notes } = await callRazorpay(() => razorpay.orders.fetch(id));
    await callRazorpay(() => razorpay.orders.edit(id, { notes: { ...notes, cancelled: '1' } }));
  }
  return requireIntent(context, id);
}

/** Refunds a payment: without an amount, Razorpay refunds the remaining amount. */
async function refund(context: RazorpayContext, id: string): Promise<Intent> {
  const { razorpay } = context;
  const chargedPayment = id.startsWith('order_') ? (await findOrder(context, id))?.chargedPayment : undefined;
  if (chargedPayment?.status === 'captured')
    await callRazorpay<unknown>(
      () => razorpay.payments.refund(chargedPayment.id, { speed: 'normal' }),
      async ({ error }) => {
        // The payment may have been refunded elsewhere in the meantime.
        const { status } = await callRazorpay(() => razorpay.payments.fetch(chargedPayment.id));
        if (status !== 'refunded') throw refundRefusedError(error?.description ?? 'Razorpay refused the refund.');
      },
    );
  return requireIntent(context, id);
}

/** Creates the Razorpay gateway: orders with manual capture, and Razorpay's subscriptions. */
export function createRazorpayGateway(access: RazorpayAccess, names: GatewayNames): Gateway {
  const razorpay = createRazorpayClient(access);
  const context = { razorpay, names, now: access.now ?? realNow };
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
    create: (request) => create(context, request),
    read: (id) => readIntent(context, id),
    async readByReference(reference) {
      const id = await names.find('payment', reference);
      return id === undefined ? undefined : readIntent(context, id);
    },
    capture: (id) => capture(context, id),
    cancel: (id) => cancel(context, id),
    refund: (id) => refund(context, id),
    ...createSubscriptionCalls(context),
  };
  return {
    port,
    webhooks: { path: '/webhooks/razorpay', read: createRazorpayWebhookReader(razorpay, access.webhookSecret) },
    pages: createRedirectPages(context, access),
    verify: ({ paymentId, subscriptionId, signature }) =>
      isSignedByRazorpay({ payment_id: paymentId, subscription_id: subscriptionId }, signature, access.keySecret),
  };
}
