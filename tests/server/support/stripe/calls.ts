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

type Answers = Record<string, (sent: GatewayCall) => object>;

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
const toRecord = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? { ...value } : {});
const toMetadata = (value: unknown): Stripe.Metadata => toRecord(value) as Stripe.Metadata;
const toList = (data: object[]): object => ({ object: 'list', data, has_more: false });

const expandedFields = ({ form }: GatewayCall): string[] => Object.values(toRecord(form['expand'])).map(toText);

const PERIOD_DAYS: Record<string, number> = { week: 7, month: 30, year: 365 };
const DAY_S = 24 * 60 * 60;

/** The fake's responses, as Stripe's reference describes them. */
export function createResponders(book: FakeStripeState): Answers {
  const chargeOf = (payment: Payment): object => ({
    id: payment.id.replace('pi', 'ch'),
    object: 'charge',
    amount: payment.amount,
    amount_refunded: payment.refunded ?? 0,
    refunded: payment.refunded === payment.amount,
  });
  const shownPayment = (payment: Payment, expand: string[], prefix = ''): object => ({
    ...omit(payment, 'returnUrl', 'refunded'),
    latest_charge: expand.includes(`${prefix}latest_charge`) ? chargeOf(payment) : payment.id.replace('pi', 'ch'),
    payment_method: expand.includes(`${prefix}payment_method`)
      ? (book.methods.get(getId(payment.payment_method)) ?? null)
      : (payment.payment_method ?? null),
  });
  const shownSetup = shownPayment as (setup: Setup, expand: string[], prefix?: string) => object;
  const shownSession = (session: Session, expand: string[]): object => {
    const payment = book.payments.get(getId(session.payment_intent));
    const setup = book.setups.get(getId(session.setup_intent));
    const isWanted = (name: string) => expand.some((each) => each.startsWith(name));
    return {
      ...omit(session, 'paymentData', 'setupData'),
      payment_intent:
        payment && isWanted('payment_intent') ? shownPayment(payment, expand, 'payment_intent.') : (payment?.id ?? null),
      setup_intent: setup && isWanted('setup_intent') ? shownSetup(setup, expand, 'setup_intent.') : (setup?.id ?? null),
    };
  };
  const shownSubscription = (subscription: Subscription): object => ({
    ...omit(subscription, 'start', 'end', 'amount', 'currency', 'interval', 'count', 'length'),
    items: {
      data: [{ id: `si_${subscription.id}`, current_period_start: subscription.start, current_period_end: subscription.end }],
    },
  });

  const newSession = ({ form }: GatewayCall): object => {
    const lines = toRecord(toRecord(toRecord(form['line_items'])['0'])['price_data']);
    const data = toRecord(form['payment_intent_data']);
    const setup = toRecord(form['setup_intent_data']);
    if (form['mode'] === 'payment' && !/^\d+$/.test(toText(lines['unit_amount'])))
      throw new GatewayError(400, { type: 'invalid_request_error', code: 'parameter_invalid_integer' });
    const session = book.add<Omit<Session, 'id'>>(book.sessions, 'cs_test', {
      object: 'checkout.session',
      mode: form['mode'] as Session['mode'],
      status: 'open',
      customer: book.of(book.customers, form['customer'], 'customer').id,
      client_reference_id: toText(form['client_reference_id']),
      success_url: toText(form['success_url']),
      cancel_url: toText(form['cancel_url']),
      metadata: toMetadata(form['metadata']),
      paymentData: {
        amount: Number(lines['unit_amount']),
        currency: toText(lines['currency']),
        capture_method: data['capture_method'] as Payment['capture_method'] & string,
        metadata: toMetadata(data['metadata']),
      },
      setupData: { metadata: toMetadata(setup['metadata']) },
    });
    session.url = `https://checkout.example/c/pay/${session.id}`;
    return shownSession(session, []);
  };

  const cancel = (matter: Payment | Setup): void => {
    const isLate = matter.status === 'succeeded' || matter.status === 'canceled';
    if (isLate) throw new GatewayError(400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' });
    matter.status = 'canceled';
  };

  /** The price of the first item, with the properties that this fake stores. */
  const priceIn = (form: Record<string, unknown>) => {
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

  const refuse = (message: string): GatewayError =>
    new GatewayError(400, { type: 'invalid_request_error', code: 'parameter_invalid', message });

  /**
   * Changes the price: at once, with a new period that is charged now, or at the end of the stated
   * trial.
   */
  const reprice = (found: Subscription, form: Record<string, unknown>): void => {
    const { id, ...price } = priceIn(form);
    if (id !== `si_${found.id}`) throw refuse('No such subscription item.');
    if (found.currency !== price.currency) throw refuse('The currency cannot be changed.');
    const trialEnd = Number(form['trial_end']);
    if (form['proration_behavior'] === 'none') {
      if (!(trialEnd >= book.now())) throw refuse('The trial must not end in the past.');
      Object.assign(found, { ...price, status: 'trialing', end: trialEnd });
      book.invoice({ ...found, start: book.now() }, 'subscription_update', true, 0);
      return;
    }
    if (toRecord(form['billing_cycle_anchor'])['type'] !== 'now') throw refuse('Only what begins now is known here.');
    if (!book.renews(found.customer)) throw new GatewayError(402, cardFailure('declined'));
    const due = book.due(found, price.amount, Number(form['proration_date']));
    const start = book.now();
    Object.assign(found, { ...price, status: 'active', start, end: start + price.length });
    book.invoice(found, 'subscription_update', true, due);
  };

  const newSubscription = ({ form }: GatewayCall): object => {
    const item = toRecord(toRecord(toRecord(form['items'])['0'])['price_data']);
    const recurring = toRecord(item['recurring']);
    book.of(book.products, item['product'], 'product');
    const trial = Number(form['trial_period_days'] ?? 0);
    const customer = toText(form['customer']);
    if (trial === 0 && !book.paysFirst(customer)) throw new GatewayError(402, cardFailure('declined'));
    const length = (PERIOD_DAYS[toText(recurring['interval'])] ?? 0) * Number(recurring['interval_count']) * DAY_S;
    const start = book.now();
    const subscription = book.add<Omit<Subscription, 'id'>>(book.subscriptions, 'sub', {
      object: 'subscription',
      status: trial > 0 ? 'trialing' : 'active',
      customer,
      metadata: toMetadata(form['metadata']),
      cancel_at_period_end: false,
      cancel_at: null,
      ended_at: null,
      start_date: start,
      amount: Number(item['unit_amount']),
      currency: toText(item['currency']),
      interval: toText(recurring['interval']),
      count: Number(recurring['interval_count']),
      start,
      end: start + (trial > 0 ? trial * DAY_S : length),
      length,
    });
    book.invoice(subscription, 'subscription_create', true, trial > 0 ? 0 : subscription.amount);
    return shownSubscription(subscription);
  };

  const customer = (id: string): object => {
    const found = book.of(book.customers, id, 'customer');
    return { ...found, invoice_settings: { default_payment_method: found.card ?? null } };
  };
  const payment = (id: string) => book.of(book.payments, id, 'payment_intent');
  const setup = (id: string) => book.of(book.setups, id, 'setup_intent');
  const subscription = (id: string) => book.of(book.subscriptions, id, 'subscription');

  const answers: Answers = {
    'GET /v1/balance': () => ({ object: 'balance' }),
    'POST /v1/customers': ({ form }) =>
      book.add(book.customers, 'cus', { object: 'customer', metadata: toMetadata(form['metadata']) }),
    'GET /v1/customers/:id': ({ id }) => customer(id),
    'POST /v1/customers/:id': ({ id, form }) => {
      const card = toText(toRecord(form['invoice_settings'])['default_payment_method']);
      book.of(book.customers, id, 'customer').card = book.of(book.methods, card, 'PaymentMethod').id;
      return customer(id);
    },
    'GET /v1/customers/:id/payment_methods': ({ id }) =>
      toList([...book.methods.values()].filter((each) => each.customer === id)),
    'POST /v1/checkout/sessions': newSession,
    'GET /v1/checkout/sessions/:id': (sent) => shownSession(book.of(book.sessions, sent.id, 'session'), expandedFields(sent)),
    'POST /v1/checkout/sessions/:id/expire': ({ id }) => {
      const session = book.of(book.sessions, id, 'session');
      if (session.status !== 'open')
        throw new GatewayError(400, {
          type: 'invalid_request_error',
          message: 'Only Checkout Sessions with a status in ["open"] can be expired.',
        });
      Object.assign(session, { status: 'expired', url: null });
      return shownSession(session, []);
    },
    'POST /v1/payment_intents': ({ form }) =>
      book.add<Omit<Payment, 'id'>>(book.payments, 'pi', {
        object: 'payment_intent',
        status: 'requires_payment_method',
        amount: Number(form['amount']),
        currency: toText(form['currency']),
        customer: book.of(book.customers, form['customer'], 'customer').id,
        metadata: toMetadata(form['metadata']),
        last_payment_error: null,
      }),
    'GET /v1/payment_intents/:id': (sent) => shownPayment(payment(sent.id), expandedFields(sent)),
    'POST /v1/payment_intents/:id/confirm': ({ id, form }) => {
      book.send(payment(id), toText(form['payment_method']), toText(form['return_url']));
      return shownPayment(payment(id), []);
    },
    'POST /v1/payment_intents/:id/capture': ({ id }) => {
      if (payment(id).status !== 'requires_capture')
        throw new GatewayError(400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' });
      payment(id).status = 'succeeded';
      return shownPayment(payment(id), []);
    },
    'POST /v1/payment_intents/:id/cancel': ({ id }) => {
      cancel(payment(id));
      return shownPayment(payment(id), []);
    },
    'POST /v1/setup_intents': ({ form }) =>
      book.add<Omit<Setup, 'id'>>(book.setups, 'seti', {
        object: 'setup_intent',
        status: 'requires_payment_method',
        customer: book.of(book.customers, form['customer'], 'customer').id,
        metadata: toMetadata(form['metadata']),
        last_setup_error: null,
      }),
    'GET /v1/setup_intents/:id': (sent) => shownSetup(setup(sent.id), expandedFields(sent)),
    'POST /v1/setup_intents/:id': ({ id, form }) => {
      Object.assign(setup(id).metadata, toMetadata(form['metadata']));
      return shownSetup(setup(id), []);
    },
    'POST /v1/setup_intents/:id/confirm': ({ id, form }) => {
      book.send(setup(id), toText(form['payment_method']), toText(form['return_url']));
      return shownSetup(setup(id), []);
    },
    'POST /v1/setup_intents/:id/cancel': ({ id }) => {
      cancel(setup(id));
      return shownSetup(setup(id), []);
    },
    'GET /v1/payment_methods/:id': ({ id }) => book.of(book.methods, id, 'PaymentMethod'),
    'POST /v1/payment_methods/:id': ({ id, form }) => Object.assign(book.of(book.methods, id, 'PaymentMethod'), form),
    'POST /v1/payment_methods/:id/detach': ({ id }) => {
      const method = book.of(book.methods, id, 'PaymentMethod');
      if (method.customer === null)
        throw new GatewayError(400, {
          type: 'invalid_request_error',
          message: 'The payment method is not attached to a customer.',
        });
      return Object.assign(method, { customer: null });
    },
    'POST /v1/billing_portal/sessions': ({ form }) => {
      book.of(book.customers, form['customer'], 'customer');
      return { object: 'billing_portal.session', url: `https://billing.example/p/session/${toText(form['customer'])}` };
    },
    'POST /v1/products': ({ form }) => {
      const id = toText(form['id']);
      if (book.products.has(id)) throw new GatewayError(400, { type: 'invalid_request_error', code: 'resource_already_exists' });
      book.products.set(id, { id, name: toText(form['name']) });
      return book.of(book.products, id, 'product');
    },
    'GET /v1/products/:id': ({ id }) => book.of(book.products, id, 'product'),
    'POST /v1/subscriptions': newSubscription,
    'GET /v1/subscriptions': ({ form }) =>
      toList([...book.subscriptions.values()].filter((each) => each.customer === form['customer']).map(shownSubscription)),
    'GET /v1/subscriptions/:id': ({ id }) => shownSubscription(subscription(id)),
    'POST /v1/subscriptions/:id': ({ id, form }) => {
      const found = subscription(id);
      if (form['cancel_at_period_end'] !== undefined) found.cancel_at_period_end = form['cancel_at_period_end'] === 'true';
      if (form['items'] !== undefined) reprice(found, form);
      const kept = Object.entries({ ...found.metadata, ...toMetadata(form['metadata']) }).filter(([, text]) => text !== '');
      found.metadata = Object.fromEntries(kept);
      return shownSubscription(found);
    },
    'DELETE /v1/subscriptions/:id': ({ id }) => {
      const found = subscription(id);
      if (found.status === 'canceled') throw new GatewayError(404, { type: 'invalid_request_error', code: 'resource_missing' });
      return shownSubscription(Object.assign(found, { status: 'canceled', ended_at: book.now() }));
    },
    'GET /v1/invoices': ({ form }) => {
      const { gt, gte } = toRecord(form['created']);
      const after = gte === undefined ? Number(gt ?? -1) : Number(gte) - 1;
      const isAsked = (each: { of: string; status: string | null; created: number }): boolean =>
        each.of === form['subscription'] &&
        each.created > after &&
        (form['status'] === undefined || each.status === form['status']);
      return toList([...book.invoices.values()].filter(isAsked));
    },
    'GET /v1/invoices/:id': ({ id }) => {
      const invoice = book.of(book.invoices, id, 'invoice');
      const { metadata } = subscription(invoice.of);
      return { ...invoice, metadata: {}, parent: { subscription_details: { metadata } } };
    },
    'GET /v1/invoice_payments': ({ form }) => {
      const wanted = toRecord(form['payment'])['payment_intent'];
      const has = ({ payments }: { payments?: Stripe.ApiList<Stripe.InvoicePayment> }) =>
        payments?.data.some(({ payment }) => payment.payment_intent === wanted) === true;
      const paid = [...book.invoices.values()].filter(has);
      if (paid.length === 0) book.of(book.payments, wanted, 'payment_intent');
      return toList(paid.map(({ id }) => ({ invoice: id })));
    },
    'POST /v1/invoices/create_preview': ({ form }) => {
      const found = subscription(toText(form['subscription']));
      const details = toRecord(form['subscription_details']);
      const { amount, currency } = priceIn(details);
      return { object: 'invoice', currency, amount_due: book.due(found, amount, Number(details['proration_date'])) };
    },
    'POST /v1/invoices/:id/pay': ({ id, form }) => {
      const invoice = book.of(book.invoices, id, 'invoice');
      const method = book.of(book.methods, form['payment_method'], 'PaymentMethod');
      if (method.kind !== 'good') throw new GatewayError(402, cardFailure(method.kind));
      invoice.status = 'paid';
      subscription(invoice.of).status = 'active';
      return invoice;
    },
    'POST /v1/refunds': ({ form }) => {
      book.refunds.push(toText(form['payment_intent']));
      const found = book.payments.get(toText(form['payment_intent']));
      if (found) book.refund(found);
      return { object: 'refund', status: 'succeeded' };
    },
  };
  // Time advances before each call is answered.
  const inTime = Object.entries(answers).map(([name, run]): [string, Answers[string]] => [
    name,
    (sent) => {
      book.tick();
      return run(sent);
    },
  ]);
  return Object.fromEntries(inTime);
}
