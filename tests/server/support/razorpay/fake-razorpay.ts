import { createHmac, randomBytes } from 'node:crypto';
import type { Orders } from 'razorpay/dist/types/orders.js';
import type { Payments } from 'razorpay/dist/types/payments.js';
import type { Subscriptions } from 'razorpay/dist/types/subscriptions.js';
import { startFakeGateway, GatewayError, type GatewayCall, omit } from '../fake-gateway.ts';
import type { Card } from '../gateways/harness.ts';
import { ACCEPTED_PARAMETERS } from './parameters.ts';

export const RAZORPAY_KEYS = {
  keyId: 'rzp_test_ofTheTests',
  keySecret: 'the secret of the tests',
  webhookSecret: 'the secret of the webhooks',
};

type WithId<Entity> = Partial<Entity> & { id: string };
export type Order = WithId<Orders.RazorpayOrder> & { status: string; notes: Record<string, string> };
export type Payment = WithId<Payments.RazorpayPayment> & { status: string };
export type Subscription = WithId<Subscriptions.RazorpaySubscription> & {
  status: string;
  paid_count: number;
  notes: Record<string, string>;
  /** seconds of a cycle */
  periodSeconds: number;
  start_at: number;
  cancelsAtCycleEnd?: boolean;
  /** id of the plan that starts with the next cycle */
  scheduledPlanId?: string;
  card?: Card;
};
type Invoice = { id: string; subscription_id: string; status: string; paid_at: number; payment_id: string };

const DAY_S = 24 * 60 * 60;
const PERIOD_SECONDS: Record<string, number> = { weekly: 7 * DAY_S, monthly: 30 * DAY_S, yearly: 365 * DAY_S };
const newId = (prefix: string): string => `${prefix}_${randomBytes(7).toString('hex')}`;

const notFoundError = (): GatewayError =>
  new GatewayError(400, { code: 'BAD_REQUEST_ERROR', description: 'The id provided does not exist' });
const badRequestError = (description: string): GatewayError => new GatewayError(400, { code: 'BAD_REQUEST_ERROR', description });

/** State of the fake Razorpay, and the actions of its customers. */
class FakeRazorpayState {
  readonly orders = new Map<string, Order>();
  readonly payments = new Map<string, Payment>();
  readonly plans = new Map<string, { id: string; periodSeconds: number; amount: number; currency: string }>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly invoices: Invoice[] = [];
  readonly refunds: string[] = [];
  /** offset of the clock, in ms */
  clockOffsetMs = 0;

  /** in seconds since 1970 */
  now = (): number => Math.floor((Date.now() + this.clockOffsetMs) / 1000);

  getOrThrow<Kind>(map: Map<string, Kind>, id: unknown): Kind {
    const entity = map.get(String(id));
    if (!entity) throw notFoundError();
    return entity;
  }

  countCharges = (reference: string): number =>
    [...this.payments.values()].filter(
      ({ status, order_id: order = '' }) =>
        (status === 'captured' || status === 'refunded') && this.orders.get(order)?.notes['reference'] === reference,
    ).length;

  /** Refunded amount of a payment, by the shop's reference. */
  sumRefunds = (reference: string): number =>
    [...this.payments.values()].reduce((sum, { order_id: order = '', amount_refunded: refundedAmount = 0 }) => {
      return sum + (this.orders.get(order)?.notes['reference'] === reference ? refundedAmount : 0);
    }, 0);

  /** Refunds an amount of a payment, or all that is left, as the dashboard can. */
  refund(payment: Payment, amount = Number(payment.amount ?? 0) - (payment.amount_refunded ?? 0)): void {
    if (payment.status === 'refunded') throw badRequestError('The payment has been fully refunded already');
    if (payment.status !== 'captured') throw badRequestError('The payment status should be captured for action to be taken');
    payment.amount_refunded = (payment.amount_refunded ?? 0) + amount;
    if (payment.amount_refunded >= Number(payment.amount ?? 0)) payment.status = 'refunded';
  }

  /**
   * Pays on Razorpay's page, as a customer.
   * @returns the signed fields; undefined where the card is declined
   */
  pay(id: string, card: Card): { razorpay_payment_id: string; razorpay_signature: string } | undefined {
    const isRefused = card === 'declined' || card === 'poor';
    const payment: Payment = {
      id: newId('pay'),
      entity: 'payment',
      status: isRefused ? 'failed' : 'authorized',
      created_at: this.now(),
      error_reason: isRefused ? (card === 'poor' ? 'insufficient_funds' : 'payment_declined') : null,
    };
    const subscription = this.subscriptions.get(id);
    if (subscription) {
      if (subscription.status !== 'created') throw badRequestError('The subscription is not awaiting payment.');
      if (isRefused) return undefined;
      subscription.card = card;
      if (subscription.start_at > this.now()) subscription.status = 'authenticated';
      else this.#charge(subscription, payment);
    } else {
      const order = this.getOrThrow(this.orders, id);
      if (order.status === 'paid') throw badRequestError('The order is paid.');
      this.payments.set(payment.id, {
        ...payment,
        order_id: id,
        amount: order.amount ?? 0,
        currency: order.currency ?? '',
      });
      if (isRefused) return undefined;
    }
    const signedText = subscription ? `${payment.id}|${id}` : `${id}|${payment.id}`;
    const signature = createHmac('sha256', RAZORPAY_KEYS.keySecret).update(signedText).digest('hex');
    return { razorpay_payment_id: payment.id, razorpay_signature: signature };
  }

  #charge(subscription: Subscription, payment: Payment): void {
    const start = subscription.current_end ?? subscription.start_at;
    const { scheduledPlanId } = subscription;
    if (scheduledPlanId !== undefined) {
      const { periodSeconds } = this.getOrThrow(this.plans, scheduledPlanId);
      Object.assign(subscription, {
        plan_id: scheduledPlanId,
        periodSeconds,
        scheduledPlanId: undefined,
        has_scheduled_changes: false,
      });
    }
    const invoice_id = newId('inv');
    const { amount, currency } = this.getOrThrow(this.plans, subscription.plan_id);
    this.payments.set(payment.id, { ...payment, status: 'captured', captured: true, amount, currency, invoice_id });
    Object.assign(subscription, {
      status: 'active',
      paid_count: subscription.paid_count + 1,
      current_start: start,
      current_end: start + subscription.periodSeconds,
    });
    const paid_at = start;
    this.invoices.push({ id: invoice_id, subscription_id: subscription.id, status: 'paid', paid_at, payment_id: payment.id });
  }

  /** Processes everything that is due by now. */
  tick(): void {
    for (const subscription of this.subscriptions.values())
      for (let due = true; due;) {
        const dueAt = subscription.status === 'authenticated' ? subscription.start_at : subscription.current_end;
        due = ['authenticated', 'active'].includes(subscription.status) && typeof dueAt === 'number' && dueAt <= this.now();
        if (!due) break;
        if (subscription.cancelsAtCycleEnd) Object.assign(subscription, { status: 'cancelled', ended_at: dueAt });
        else if (subscription.card === 'once') Object.assign(subscription, { status: 'pending', current_start: dueAt });
        else this.#charge(subscription, { id: newId('pay'), entity: 'payment', status: 'captured', created_at: dueAt ?? 0 });
      }
  }
}

const toRecord = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? { ...value } : {});

function createResponders(gatewayState: FakeRazorpayState): Record<string, (call: GatewayCall) => object> {
  const toResponse = (subscription: Subscription): object =>
    omit(subscription, 'periodSeconds', 'cancelsAtCycleEnd', 'card', 'scheduledPlanId');
  return {
    'GET /v1/orders': () => ({ entity: 'collection', count: 0, items: [] }),
    'POST /v1/orders': ({ form }) => {
      if (String(form['receipt']).length > 40) throw badRequestError('The receipt may not be greater than 40 characters.');
      if (!Number.isInteger(form['amount']) || Number(form['amount']) < 1)
        throw badRequestError('The amount must be atleast INR 1.00');
      const notes = toRecord(form['notes']) as Record<string, string>;
      if (Object.values(notes).some((note) => note.length > 256)) throw badRequestError('A note is too long.');
      const { amount, currency, receipt } = form as { amount: number; currency: string; receipt: string };
      const order = { id: newId('order'), entity: 'order', status: 'created', amount, currency, receipt, notes } satisfies Order;
      gatewayState.orders.set(order.id, order);
      return order;
    },
    'GET /v1/orders/:id': ({ id }) => gatewayState.getOrThrow(gatewayState.orders, id),
    'PATCH /v1/orders/:id': ({ id, form }) => {
      const order = gatewayState.getOrThrow(gatewayState.orders, id);
      order.notes = toRecord(form['notes']) as Record<string, string>;
      return order;
    },
    'GET /v1/orders/:id/payments': ({ id }) => {
      gatewayState.getOrThrow(gatewayState.orders, id);
      const items = [...gatewayState.payments.values()].filter(({ order_id: order }) => order === id);
      return { entity: 'collection', count: items.length, items };
    },
    'GET /v1/payments/:id': ({ id }) => gatewayState.getOrThrow(gatewayState.payments, id),
    'POST /v1/payments/:id/capture': ({ id, form }) => {
      const payment = gatewayState.getOrThrow(gatewayState.payments, id);
      if (payment.status !== 'authorized') throw badRequestError('This payment has already been captured');
      if (payment.amount !== form['amount'] || payment.currency !== form['currency'])
        throw badRequestError('The amount or the currency differs from the payment.');
      payment.status = 'captured';
      gatewayState.getOrThrow(gatewayState.orders, payment.order_id).status = 'paid';
      return payment;
    },
    'POST /v1/payments/:id/refund': ({ id }) => {
      gatewayState.refunds.push(id);
      gatewayState.refund(gatewayState.getOrThrow(gatewayState.payments, id));
      return { id: newId('rfnd'), entity: 'refund', payment_id: id };
    },
    'POST /v1/plans': ({ form }) => {
      const { amount, currency } = form['item'] as { amount: number; currency: string };
      const periodSeconds = (PERIOD_SECONDS[String(form['period'])] ?? 0) * Number(form['interval']);
      const plan = { id: newId('plan'), periodSeconds, amount, currency };
      gatewayState.plans.set(plan.id, plan);
      return { ...form, id: plan.id };
    },
    'POST /v1/subscriptions': ({ form }) => {
      const subscription: Subscription = {
        id: newId('sub'),
        entity: 'subscription',
        status: 'created',
        paid_count: 0,
        notes: toRecord(form['notes']) as Record<string, string>,
        plan_id: gatewayState.getOrThrow(gatewayState.plans, form['plan_id']).id,
        periodSeconds: gatewayState.getOrThrow(gatewayState.plans, form['plan_id']).periodSeconds,
        has_scheduled_changes: false,
        start_at: Number(form['start_at'] ?? gatewayState.now()),
        current_start: null,
        current_end: null,
        ended_at: null,
      };
      gatewayState.subscriptions.set(subscription.id, subscription);
      return toResponse(subscription);
    },
    'GET /v1/subscriptions/:id': ({ id }) => toResponse(gatewayState.getOrThrow(gatewayState.subscriptions, id)),
    'PATCH /v1/subscriptions/:id': ({ id, form }) => {
      const subscription = gatewayState.getOrThrow(gatewayState.subscriptions, id);
      if (!['authenticated', 'active'].includes(subscription.status))
        throw badRequestError('The subscription cannot be updated.');
      if (form['schedule_change_at'] !== 'cycle_end')
        throw badRequestError('This fake supports only changes at the end of a cycle.');
      if (subscription.has_scheduled_changes) throw badRequestError('An update is scheduled already.');
      subscription.scheduledPlanId = gatewayState.getOrThrow(gatewayState.plans, form['plan_id']).id;
      subscription.has_scheduled_changes = true;
      return toResponse(subscription);
    },
    'POST /v1/subscriptions/:id/cancel_scheduled_changes': ({ id }) => {
      const subscription = gatewayState.getOrThrow(gatewayState.subscriptions, id);
      if (!subscription.has_scheduled_changes) throw badRequestError('No update is scheduled.');
      Object.assign(subscription, { scheduledPlanId: undefined, has_scheduled_changes: false });
      return toResponse(subscription);
    },
    'POST /v1/subscriptions/:id/cancel': ({ id, form }) => {
      const subscription = gatewayState.getOrThrow(gatewayState.subscriptions, id);
      const { status } = subscription;
      if (['cancelled', 'completed', 'expired'].includes(status))
        throw badRequestError('Subscription is not cancellable in cancelled status.');
      if (form['cancel_at_cycle_end'] === 1) {
        if (status !== 'active') throw badRequestError('No billing cycle is going on.');
        subscription.cancelsAtCycleEnd = true;
      } else Object.assign(subscription, { status: 'cancelled', ended_at: gatewayState.now() });
      return toResponse(subscription);
    },
    'GET /v1/invoices/:id': ({ id }) => {
      const invoice = gatewayState.invoices.find((each) => each.id === id);
      if (!invoice) throw notFoundError();
      return invoice;
    },
    'GET /v1/invoices': ({ form }) => {
      const items = gatewayState.invoices.filter((each) => each.subscription_id === form['subscription_id']);
      return { entity: 'collection', count: items.length, items };
    },
  };
}

/** A fake Razorpay API that supports only the calls of the shop. */
export async function startFakeRazorpay() {
  const state = new FakeRazorpayState();
  const { keyId, keySecret } = RAZORPAY_KEYS;
  const responders = Object.entries(createResponders(state)).map(([name, respond]): [string, (call: GatewayCall) => object] => [
    name,
    (call) => {
      state.tick();
      return respond(call);
    },
  ]);
  const server = await startFakeGateway({
    calls: ACCEPTED_PARAMETERS,
    responders: Object.fromEntries(responders),
    authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`,
    parseBody: (body) => (body === '' ? {} : (JSON.parse(body) as Record<string, unknown>)),
    parseQuery: (query) => Object.fromEntries(new URLSearchParams(query)),
  });
  return { ...server, gatewayState: state, origin: `http://127.0.0.1:${server.port}` };
}

export type FakeRazorpay = Awaited<ReturnType<typeof startFakeRazorpay>>;
