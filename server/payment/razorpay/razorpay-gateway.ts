import { createHash } from 'node:crypto';
import type { Orders } from 'razorpay/dist/types/orders.js';
import type { Payments } from 'razorpay/dist/types/payments.js';
import { DomainError } from '../../kernel/errors.ts';
import type { Gateway } from '../gateway.ts';
import type { GatewayNames } from '../gateway-names.ts';
import { type Intent, type IntentRequest, noRefund, type PaymentPort, PaymentUnknown } from '../port.ts';
import { minorOfRazorpay, razorpayAmount } from './amounts.ts';
import { ask, look, type RazorpayAccess, razorpayClient } from './asking.ts';
import { notesOf, readNotes } from './notes.ts';
import { razorpayPages } from './pages.ts';
import {
  endSubscription,
  fetchSubscription,
  intentOfSubscription,
  makeSubscription,
  type RazorpayParts,
  razorpaySubscriptions,
} from './subscriptions.ts';
import { isSignedByRazorpay, razorpayNews } from './webhook.ts';
import { realNow } from '../../base/clock/time.ts';

/*
 * An intent of the store is an order at Razorpay (`order_`), which waits for a payment that is authorised and then captured, or the
 * subscription itself (`sub_`).
 */

type Payment = Payments.RazorpayPayment;

/** Where the page stands that leads to Razorpay's: at the shop's own origin, since Razorpay's is entered by a form. */
const pageOf = (returnUrl: string, id: string): string =>
  URL.canParse(returnUrl) ? `${new URL(returnUrl).origin}/payments/razorpay/${id}` : '';

function reasonOf({ error_reason: reason }: Payment): string {
  if (/insufficient/.test(reason ?? '')) return 'insufficient_funds';
  if (/expired_card|card_expired/.test(reason ?? '')) return 'expired_card';
  if (/authentication|otp/.test(reason ?? '')) return 'authentication_failed';
  return /declined/.test(reason ?? '') ? 'card_declined' : 'payment_failed';
}

const oldestFirst = (one: Payment, other: Payment): number => one.created_at - other.created_at || (one.id < other.id ? -1 : 1);

type Order = Orders.RazorpayOrder;

type Stage = Pick<Intent, 'state' | 'reason'> & { authorized?: Payment; charged?: Payment };

/** Where an order stands: of several payments one is captured at most, the first that was authorised. */
function stageOf(order: Order, payments: Payment[]): Stage {
  const failed = payments.findLast(({ status }) => status === 'failed');
  const reason = failed ? reasonOf(failed) : null;
  // What was reserved only lapses as `refunded`, too: that order is not paid.
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
  const order = await look<Order>(() => razorpay.orders.fetch(id));
  if (!order) return undefined;
  const { items } = await ask(() => razorpay.orders.fetchPayments(id));
  return { order, ...stageOf(order, items.toSorted(oldestFirst)) };
}

async function read(parts: RazorpayParts, id: string): Promise<Intent | undefined> {
  if (id.startsWith('sub_')) {
    const subscription = await fetchSubscription(parts, id);
    if (!subscription) return undefined;
    const url = pageOf(readNotes(subscription.notes)?.returnUrl ?? '', id);
    return { id, url, reason: null, keptCard: null, refundedMinor: 0, ...intentOfSubscription(parts, subscription) };
  }
  if (!id.startsWith('order_')) return undefined;
  const found = await findOrder(parts, id);
  if (!found) return undefined;
  const { order, state, reason, charged } = found;
  const refundedMinor = charged ? minorOfRazorpay(charged.amount_refunded ?? 0, charged.currency) : 0;
  return { id, url: pageOf(readNotes(order.notes)?.returnUrl ?? '', id), state, reason, keptCard: null, refundedMinor };
}

async function must(parts: RazorpayParts, id: string): Promise<Intent> {
  const intent = await read(parts, id);
  if (!intent) throw new PaymentUnknown(new Error('Razorpay does not know the payment.'));
  return intent;
}

async function makeOrder({ razorpay }: RazorpayParts, request: IntentRequest): Promise<string> {
  const amount = razorpayAmount(request.amountMinor, request.currency);
  const made = await ask(() =>
    razorpay.orders.create({
      amount,
      currency: request.currency,
      // Forty characters are what fits.
      receipt: createHash('sha256').update(request.reference).digest('hex').slice(0, 40),
      notes: notesOf(request),
      payment: { capture: 'manual' },
    }),
  );
  return made.id;
}

/**
 * Razorpay knows no keys that make a call once. An order is paid by its page alone, and the page of one whose answer was lost, or
 * that came second, is handed to nobody: it expires unpaid.
 */
async function create(parts: RazorpayParts, request: IntentRequest): Promise<Intent> {
  const { names } = parts;
  const { reference, cardToken, subscription: terms } = request;
  if (cardToken !== undefined)
    throw new DomainError('payment_failed', 'This card can’t be used here.', { code: 'card_declined' });
  const known = await names.find('payment', reference);
  const intent = known === undefined ? undefined : await read(parts, known);
  if (intent) return intent;
  const made = await (terms ? makeSubscription(parts, request, terms) : makeOrder(parts, request));
  const id = await (known === undefined
    ? names.keep('payment', reference, made)
    : names.replace('payment', reference, known, made));
  return must(parts, id);
}

async function capture(parts: RazorpayParts, id: string): Promise<Intent> {
  const { razorpay } = parts;
  const found = id.startsWith('order_') ? await findOrder(parts, id) : undefined;
  const payment = found?.authorized;
  if (payment)
    await ask<unknown>(
      () => razorpay.payments.capture(payment.id, payment.amount, payment.currency),
      () => razorpay.payments.fetch(payment.id),
    );
  return must(parts, id);
}

/** An order cannot be cancelled there: it is marked, which closes its page here. What is authorised lapses, since nobody captures it. */
async function cancel(parts: RazorpayParts, id: string): Promise<Intent> {
  const { razorpay } = parts;
  const intent = await must(parts, id);
  if (intent.state === 'captured' || intent.state === 'cancelled') return intent;
  if (id.startsWith('sub_')) await endSubscription(parts, id);
  else {
    const { notes } = await ask(() => razorpay.orders.fetch(id));
    await ask(() => razorpay.orders.edit(id, { notes: { ...notes, cancelled: '1' } }));
  }
  return must(parts, id);
}

/** Without an amount Razorpay gives back all that is left. */
async function refund(parts: RazorpayParts, id: string): Promise<Intent> {
  const { razorpay } = parts;
  const charged = id.startsWith('order_') ? (await findOrder(parts, id))?.charged : undefined;
  if (charged?.status === 'captured')
    await ask<unknown>(
      () => razorpay.payments.refund(charged.id, { speed: 'normal' }),
      async ({ error }) => {
        // Somebody else may have, in the meantime.
        const { status } = await ask(() => razorpay.payments.fetch(charged.id));
        if (status !== 'refunded') throw noRefund(error?.description ?? 'Razorpay does not give it back.');
      },
    );
  return must(parts, id);
}

/** Razorpay: orders whose payments are captured by hand, and its subscriptions. */
export function razorpayGateway(access: RazorpayAccess, names: GatewayNames): Gateway {
  const razorpay = razorpayClient(access);
  const parts = { razorpay, names, now: access.now ?? realNow };
  const port: PaymentPort = {
    provider: 'razorpay',
    methods: ['upi', 'wallet', 'netbanking'],
    resumes: false,
    isUp: async () => {
      try {
        await ask(() => razorpay.orders.all({ count: 1 }));
        return true;
      } catch {
        return false;
      }
    },
    create: (request) => create(parts, request),
    read: (id) => read(parts, id),
    async readByReference(reference) {
      const id = await names.find('payment', reference);
      return id === undefined ? undefined : read(parts, id);
    },
    capture: (id) => capture(parts, id),
    cancel: (id) => cancel(parts, id),
    refund: (id) => refund(parts, id),
    ...razorpaySubscriptions(parts),
  };
  return {
    port,
    news: { path: '/webhooks/razorpay', read: razorpayNews(razorpay, access.webhookSecret) },
    pages: razorpayPages(parts, access),
    verify: ({ paymentId, subscriptionId, signature }) =>
      isSignedByRazorpay({ payment_id: paymentId, subscription_id: subscriptionId }, signature, access.keySecret),
  };
}
