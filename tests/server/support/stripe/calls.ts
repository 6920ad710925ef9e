import type Stripe from 'stripe';
import { GatewayError, type GatewayCall, omit } from '../fake-gateway.ts';
import {
  cardFailure,
  getId,
  type Payment,
  type Session,
  type Setup,
  type FakeStripeState,
  type Subscription,
} from './fake-state.ts';

type Responders = Record<string, (call: GatewayCall) => object>;

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
const toRecord = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? { ...value } : {});
const toMetadata = (value: unknown): Stripe.Metadata => toRecord(value) as Stripe.Metadata;
const toList = (data: object[]): object => ({ object: 'list', data, has_more: false });

const listExpandedFields = ({ form }: GatewayCall): string[] => Object.values(toRecord(form['expand'])).map(toText);

const PERIOD_DAYS: Record<string, number> = { week: 7, month: 30, year: 365 };
const DAY_S = 24 * 60 * 60;

/** Creates the functions that respond to each call, as Stripe's reference describes. */
export function createResponders(state: FakeStripeState): Responders {
  const toCharge = (payment: Payment): object => ({
    id: payment.id.replace('pi', 'ch'),
    object: 'charge',
    amount: payment.amount,
    amount_refunded: payment.refunded ?? 0,
    refunded: payment.refunded === payment.amount,
  });
  const toPaymentResponse = (payment: Payment, expand: string[], prefix = ''): object => ({
    ...omit(payment, 'returnUrl', 'refunded'),
    latest_charge: expand.includes(`${prefix}latest_charge`) ? toCharge(payment) : payment.id.replace('pi', 'ch'),
    payment_method: expand.includes(`${prefix}payment_method`)
      ? (state.methods.get(getId(payment.payment_method)) ?? null)
      : (payment.payment_method ?? null),
  });
  const toSetupResponse = toPaymentResponse as (setup: Setup, expand: string[], prefix?: string) => object;
  const toSessionResponse = (session: Session, expand: string[]): object => {
    const payment = state.payments.get(getId(session.payment_intent));
    const setup = state.setups.get(getId(session.setup_intent));
    const isExpanded = (name: string) => expand.some((each) => each.startsWith(name));
    return {
      ...omit(session, 'paymentData', 'setupData'),
      payment_intent:
        payment && isExpanded('payment_intent') ? toPaymentResponse(payment, expand, 'payment_intent.') : (payment?.id ?? null),
      setup_intent: setup && isExpanded('setup_intent') ? toSetupResponse(setup, expand, 'setup_intent.') : (setup?.id ?? null),
    };
  };
  const toSubscriptionResponse = (subscription: Subscription): object => ({
    ...omit(subscription, 'start', 'end', 'amount', 'currency', 'interval', 'count', 'length'),
    items: {
      data: [{ id: `si_${subscription.id}`, current_period_start: subscription.start, current_period_end: subscription.end }],
    },
  });

  const createSession = ({ form }: GatewayCall): object => {
    const priceData = toRecord(toRecord(toRecord(form['line_items'])['0'])['price_data']);
    const intentData = toRecord(form['payment_intent_data']);
    const setupIntentData = toRecord(form['setup_intent_data']);
    if (form['mode'] === 'payment' && !/^\d+$/.test(toText(priceData['unit_amount'])))
      throw new GatewayError(400, { type: 'invalid_request_error', code: 'parameter_invalid_integer' });
    const session = state.add<Omit<Session, 'id'>>(state.sessions, 'cs_test', {
      object: 'checkout.session',
      mode: form['mode'] as Session['mode'],
      status: 'open',
      customer: state.getOrThrow(state.customers, form['customer'], 'customer').id,
      client_reference_id: toText(form['client_reference_id']),
      success_url: toText(form['success_url']),
      cancel_url: toText(form['cancel_url']),
      metadata: toMetadata(form['metadata']),
      paymentData: {
        amount: Number(priceData['unit_amount']),
        currency: toText(priceData['currency']),
        capture_method: intentData['capture_method'] as Payment['capture_method'] & string,
        metadata: toMetadata(intentData['metadata']),
      },
      setupData: { metadata: toMetadata(setupIntentData['metadata']) },
    });
    session.url = `https://checkout.example/c/pay/${session.id}`;
    return toSessionResponse(session, []);
  };

  const cancel = (intent: Payment | Setup): void => {
    const isFinal = intent.status === 'succeeded' || intent.status === 'canceled';
    if (isFinal) throw new GatewayError(400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' });
    intent.status = 'canceled';
  };

  /** Parses the price of the first item, with the properties that this fake stores. */
  const parsePrice = (form: Record<string, unknown>) => {
    const item = toRecord(toRecord(form['items'])['0']);
    const price = toRecord(item['price_data']);
    const recurring = toRecord(price['recurring']);
    const [interval, count] = [toText(recurring['interval']), Number(recurring['interval_count'])];
    const length = (PERIOD_DAYS[interval] ?? 0) * count * DAY_S;
    return {
      id: toText(item['id']),
      amount: Number(price['unit_amount']),
      currency: toText(price['currency']),
      interval,
      count,
      length,
    };
  };

  const invalidParameterError = (message: string): GatewayError =>
    new GatewayError(400, { type: 'invalid_request_error', code: 'parameter_invalid', message });

  /**
   * Changes the price of a subscription: at once, with a new period that is charged now, or at the
   * end of the trial in the form.
   */
  const changePrice = (subscription: Subscription, form: Record<string, unknown>): void => {
    const { id, ...price } = parsePrice(form);
    if (id !== `si_${subscription.id}`) throw invalidParameterError('No such subscription item.');
    if (subscription.currency !== price.currency) throw invalidParameterError('The currency cannot be changed.');
    const trialEnd = Number(form['trial_end']);
    if (form['proration_behavior'] === 'none') {
      if (!(trialEnd >= state.now())) throw invalidParameterError('The trial must not end in the past.');
      Object.assign(subscription, { ...price, status: 'trialing', end: trialEnd });
      state.addInvoice({ ...subscription, start: state.now() }, 'subscription_update', true, 0);
      return;
    }
    if (toRecord(form['billing_cycle_anchor'])['type'] !== 'now')
      throw invalidParameterError('This fake supports only changes that start now.');
    if (!state.cardPaysRenewal(subscription.customer)) throw new GatewayError(402, cardFailure('declined'));
    const due = state.computeDue(subscription, price.amount, Number(form['proration_date']));
    const start = state.now();
    Object.assign(subscription, { ...price, status: 'active', start, end: start + price.length });
    state.addInvoice(subscription, 'subscription_update', true, due);
  };

  const createSubscription = ({ form }: GatewayCall): object => {
    const priceData = toRecord(toRecord(toRecord(form['items'])['0'])['price_data']);
    const recurring = toRecord(priceData['recurring']);
    state.getOrThrow(state.products, priceData['product'], 'product');
    const trialDays = Number(form['trial_period_days'] ?? 0);
    const customer = toText(form['customer']);
    if (trialDays === 0 && !state.cardPaysFirstPeriod(customer)) throw new GatewayError(402, cardFailure('declined'));
    const length = (PERIOD_DAYS[toText(recurring['interval'])] ?? 0) * Number(recurring['interval_count']) * DAY_S;
    const start = state.now();
    const subscription = state.add<Omit<Subscription, 'id'>>(state.subscriptions, 'sub', {
      object: 'subscription',
      status: trialDays > 0 ? 'trialing' : 'active',
      customer,
      metadata: toMetadata(form['metadata']),
      cancel_at_period_end: false,
      cancel_at: null,
      ended_at: null,
      start_date: start,
      amount: Number(priceData['unit_amount']),
      currency: toText(priceData['currency']),
      interval: toText(recurring['interval']),
      count: Number(recurring['interval_count']),
      start,
      end: start + (trialDays > 0 ? trialDays * DAY_S : length),
      length,
    });
    state.addInvoice(subscription, 'subscription_create', true, trialDays > 0 ? 0 : subscription.amount);
    return toSubscriptionResponse(subscription);
  };

  const toCustomerResponse = (id: string): object => {
    const customer = state.getOrThrow(state.customers, id, 'customer');
    return { ...customer, invoice_settings: { default_payment_method: customer.card ?? null } };
  };
  const getPayment = (id: string) => state.getOrThrow(state.payments, id, 'payment_intent');
  const getSetup = (id: string) => state.getOrThrow(state.setups, id, 'setup_intent');
  const getSubscription = (id: string) => state.getOrThrow(state.subscriptions, id, 'subscription');

  const responders: Responders = {
    'GET /v1/balance': () => ({ object: 'balance' }),
    'POST /v1/customers': ({ form }) =>
      state.add(state.customers, 'cus', { object: 'customer', metadata: toMetadata(form['metadata']) }),
    'GET /v1/customers/:id': ({ id }) => toCustomerResponse(id),
    'POST /v1/customers/:id': ({ id, form }) => {
      const card = toText(toRecord(form['invoice_settings'])['default_payment_method']);
      state.getOrThrow(state.customers, id, 'customer').card = state.getOrThrow(state.methods, card, 'PaymentMethod').id;
      return toCustomerResponse(id);
    },
    'GET /v1/customers/:id/payment_methods': ({ id }) =>
      toList([...state.methods.values()].filter((each) => each.customer === id)),
    'POST /v1/checkout/sessions': createSession,
    'GET /v1/checkout/sessions/:id': (call) =>
      toSessionResponse(state.getOrThrow(state.sessions, call.id, 'session'), listExpandedFields(call)),
    'POST /v1/checkout/sessions/:id/expire': ({ id }) => {
      const session = state.getOrThrow(state.sessions, id, 'session');
      if (session.status !== 'open')
        throw new GatewayError(400, {
          type: 'invalid_request_error',
          message: 'Only Checkout Sessions with a status in ["open"] can be expired.',
        });
      Object.assign(session, { status: 'expired', url: null });
      return toSessionResponse(session, []);
    },
    'POST /v1/payment_intents': ({ form }) =>
      state.add<Omit<Payment, 'id'>>(state.payments, 'pi', {
        object: 'payment_intent',
        status: 'requires_payment_method',
        amount: Number(form['amount']),
        currency: toText(form['currency']),
        customer: state.getOrThrow(state.customers, form['customer'], 'customer').id,
        metadata: toMetadata(form['metadata']),
        last_payment_error: null,
      }),
    'GET /v1/payment_intents/:id': (call) => toPaymentResponse(getPayment(call.id), listExpandedFields(call)),
    'POST /v1/payment_intents/:id/confirm': ({ id, form }) => {
      state.confirmIntent(getPayment(id), toText(form['payment_method']), toText(form['return_url']));
      return toPaymentResponse(getPayment(id), []);
    },
    'POST /v1/payment_intents/:id/capture': ({ id }) => {
      if (getPayment(id).status !== 'requires_capture')
        throw new GatewayError(400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' });
      getPayment(id).status = 'succeeded';
      return toPaymentResponse(getPayment(id), []);
    },
    'POST /v1/payment_intents/:id/cancel': ({ id }) => {
      cancel(getPayment(id));
      return toPaymentResponse(getPayment(id), []);
    },
    'POST /v1/setup_intents': ({ form }) =>
      state.add<Omit<Setup, 'id'>>(state.setups, 'seti', {
        object: 'setup_intent',
        status: 'requires_payment_method',
        customer: state.getOrThrow(state.customers, form['customer'], 'customer').id,
        metadata: toMetadata(form['metadata']),
        last_setup_error: null,
      }),
    'GET /v1/setup_intents/:id': (call) => toSetupResponse(getSetup(call.id), listExpandedFields(call)),
    'POST /v1/setup_intents/:id': ({ id, form }) => {
      Object.assign(getSetup(id).metadata, toMetadata(form['metadata']));
      return toSetupResponse(getSetup(id), []);
    },
    'POST /v1/setup_intents/:id/confirm': ({ id, form }) => {
      state.confirmIntent(getSetup(id), toText(form['payment_method']), toText(form['return_url']));
      return toSetupResponse(getSetup(id), []);
    },
    'POST /v1/setup_intents/:id/cancel': ({ id }) => {
      cancel(getSetup(id));
      return toSetupResponse(getSetup(id), []);
    },
    'GET /v1/payment_methods/:id': ({ id }) => state.getOrThrow(state.methods, id, 'PaymentMethod'),
    'POST /v1/payment_methods/:id': ({ id, form }) => Object.assign(state.getOrThrow(state.methods, id, 'PaymentMethod'), form),
    'POST /v1/payment_methods/:id/detach': ({ id }) => {
      const method = state.getOrThrow(state.methods, id, 'PaymentMethod');
      if (method.customer === null)
        throw new GatewayError(400, {
          type: 'invalid_request_error',
          message: 'The payment method is not attached to a customer.',
        });
      return Object.assign(method, { customer: null });
    },
    'POST /v1/billing_portal/sessions': ({ form }) => {
      state.getOrThrow(state.customers, form['customer'], 'customer');
      return { object: 'billing_portal.session', url: `https://billing.example/p/session/${toText(form['customer'])}` };
    },
    'POST /v1/products': ({ form }) => {
      const id = toText(form['id']);
      if (state.products.has(id)) throw new GatewayError(400, { type: 'invalid_request_error', code: 'resource_already_exists' });
      state.products.set(id, { id, name: toText(form['name']) });
      return state.getOrThrow(state.products, id, 'product');
    },
    'GET /v1/products/:id': ({ id }) => state.getOrThrow(state.products, id, 'product'),
    'POST /v1/subscriptions': createSubscription,
    'GET /v1/subscriptions': ({ form }) =>
      toList([...state.subscriptions.values()].filter((each) => each.customer === form['customer']).map(toSubscriptionResponse)),
    'GET /v1/subscriptions/:id': ({ id }) => toSubscriptionResponse(getSubscription(id)),
    'POST /v1/subscriptions/:id': ({ id, form }) => {
      const subscription = getSubscription(id);
      if (form['cancel_at_period_end'] !== undefined) subscription.cancel_at_period_end = form['cancel_at_period_end'] === 'true';
      if (form['items'] !== undefined) changePrice(subscription, form);
      const metadata = Object.entries({ ...subscription.metadata, ...toMetadata(form['metadata']) }).filter(
        ([, text]) => text !== '',
      );
      subscription.metadata = Object.fromEntries(metadata);
      return toSubscriptionResponse(subscription);
    },
    'DELETE /v1/subscriptions/:id': ({ id }) => {
      const subscription = getSubscription(id);
      if (subscription.status === 'canceled')
        throw new GatewayError(404, { type: 'invalid_request_error', code: 'resource_missing' });
      return toSubscriptionResponse(Object.assign(subscription, { status: 'canceled', ended_at: state.now() }));
    },
    'GET /v1/invoices': ({ form }) => {
      const { gt, gte } = toRecord(form['created']);
      const createdAfter = gte === undefined ? Number(gt ?? -1) : Number(gte) - 1;
      const matchesQuery = (each: { subscriptionId: string; status: string | null; created: number }): boolean =>
        each.subscriptionId === form['subscription'] &&
        each.created > createdAfter &&
        (form['status'] === undefined || each.status === form['status']);
      return toList([...state.invoices.values()].filter(matchesQuery));
    },
    'GET /v1/invoices/:id': ({ id }) => {
      const invoice = state.getOrThrow(state.invoices, id, 'invoice');
      const { metadata } = getSubscription(invoice.subscriptionId);
      return { ...invoice, metadata: {}, parent: { subscription_details: { metadata } } };
    },
    'GET /v1/invoice_payments': ({ form }) => {
      const paymentIntentId = toRecord(form['payment'])['payment_intent'];
      const paysIntent = ({ payments }: { payments?: Stripe.ApiList<Stripe.InvoicePayment> }) =>
        payments?.data.some(({ payment }) => payment.payment_intent === paymentIntentId) === true;
      const invoices = [...state.invoices.values()].filter(paysIntent);
      if (invoices.length === 0) state.getOrThrow(state.payments, paymentIntentId, 'payment_intent');
      return toList(invoices.map(({ id }) => ({ invoice: id })));
    },
    'POST /v1/invoices/create_preview': ({ form }) => {
      const subscription = getSubscription(toText(form['subscription']));
      const details = toRecord(form['subscription_details']);
      const { amount, currency } = parsePrice(details);
      return {
        object: 'invoice',
        currency,
        amount_due: state.computeDue(subscription, amount, Number(details['proration_date'])),
      };
    },
    'POST /v1/invoices/:id/pay': ({ id, form }) => {
      const invoice = state.getOrThrow(state.invoices, id, 'invoice');
      const method = state.getOrThrow(state.methods, form['payment_method'], 'PaymentMethod');
      if (method.kind !== 'good') throw new GatewayError(402, cardFailure(method.kind));
      invoice.status = 'paid';
      getSubscription(invoice.subscriptionId).status = 'active';
      return invoice;
    },
    'POST /v1/refunds': ({ form }) => {
      state.refunds.push(toText(form['payment_intent']));
      const payment = state.payments.get(toText(form['payment_intent']));
      if (payment) state.refund(payment);
      return { object: 'refund', status: 'succeeded' };
    },
  };
  // Each call processes the renewals that are due before it responds.
  const timedResponders = Object.entries(responders).map(([name, respond]): [string, Responders[string]] => [
    name,
    (call) => {
      state.tick();
      return respond(call);
    },
  ]);
  return Object.fromEntries(timedResponders);
}
