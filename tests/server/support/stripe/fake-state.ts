import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { GatewayError } from '../fake-gateway.ts';
import type { Card } from '../gateways/harness.ts';

/** Some properties of a Stripe object, as the official library types them, always with an id. */
type WithId<Entity> = Partial<Entity> & { id: string };

const LAST4: Record<Card, string> = { good: '4242', declined: '0002', poor: '9995', challenge: '3184', once: '0341' };

export type Method = WithId<Stripe.PaymentMethod> & { kind: Card };
export type Payment = WithId<Stripe.PaymentIntent> &
  Pick<Stripe.PaymentIntent, 'status' | 'metadata'> & { returnUrl?: string; refunded?: number };
export type Setup = WithId<Stripe.SetupIntent> &
  Pick<Stripe.SetupIntent, 'status'> & { metadata: Stripe.Metadata; returnUrl?: string };
export type Session = WithId<Stripe.Checkout.Session> &
  Pick<Stripe.Checkout.Session, 'status' | 'mode' | 'success_url'> & {
    paymentData?: Partial<Payment>;
    setupData?: Partial<Setup>;
  };
export type Subscription = WithId<Stripe.Subscription> &
  Pick<Stripe.Subscription, 'status' | 'metadata'> & {
    amount: number;
    currency: string;
    interval: string;
    count: number;
    start: number;
    end: number;
    length: number;
  };
export type Invoice = WithId<Stripe.Invoice> & Pick<Stripe.Invoice, 'status' | 'created'> & { subscriptionId: string };

/** The id of an object, expanded or not; empty where there is no object. */
export const getId = (reference: string | { id: string } | null | undefined): string =>
  (typeof reference === 'string' ? reference : reference?.id) ?? '';

const newId = (prefix: string): string => `${prefix}_${randomBytes(8).toString('hex')}`;

export type Failure = { code: string; decline_code?: string; message: string; type: 'card_error' };

export const cardFailure = (card: Card): Failure => ({
  code: card === 'challenge' ? 'payment_intent_authentication_failure' : 'card_declined',
  decline_code: card === 'poor' ? 'insufficient_funds' : 'generic_decline',
  message: 'Your card was declined.',
  type: 'card_error',
});

/** State of the fake Stripe, and the actions of its customers and banks. */
export class FakeStripeState {
  readonly customers = new Map<string, WithId<Stripe.Customer> & { card?: string }>();
  readonly methods = new Map<string, Method>();
  readonly payments = new Map<string, Payment>();
  readonly setups = new Map<string, Setup>();
  readonly sessions = new Map<string, Session>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly invoices = new Map<string, Invoice>();
  readonly products = new Map<string, { id: string; name: string }>();
  readonly refunds: string[] = [];
  /** offset of the clock, in ms */
  clockOffsetMs = 0;

  now = (): number => Math.floor((Date.now() + this.clockOffsetMs) / 1000);

  add<Kind extends object>(map: Map<string, Kind & { id: string }>, prefix: string, properties: Kind): Kind & { id: string } {
    const entity = { created: this.now(), ...properties, id: newId(prefix) };
    map.set(entity.id, entity);
    return entity;
  }

  getOrThrow<Kind>(map: Map<string, Kind>, id: unknown, typeName: string): Kind {
    const entity = map.get(String(id));
    if (!entity)
      throw new GatewayError(404, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: `No such ${typeName}: '${String(id)}'`,
      });
    return entity;
  }

  /** The number of charges of a payment, by the shop's reference. */
  countCharges = (reference: string): number =>
    [...this.payments.values()].filter(({ status, metadata }) => status === 'succeeded' && metadata['reference'] === reference)
      .length;

  /** Refunded amount of a payment, by the shop's reference. */
  sumRefunds = (reference: string): number =>
    [...this.payments.values()].reduce(
      (sum, each) => sum + (each.metadata['reference'] === reference ? (each.refunded ?? 0) : 0),
      0,
    );

  /** Refunds an amount of a payment, or all that is left, as the dashboard can. */
  refund(payment: Payment, amount = (payment.amount ?? 0) - (payment.refunded ?? 0)): void {
    if (payment.status !== 'succeeded')
      throw new GatewayError(400, { type: 'invalid_request_error', code: 'charge_not_refundable' });
    const refunded = (payment.refunded ?? 0) + amount;
    if (amount === 0 || refunded > (payment.amount ?? 0))
      throw new GatewayError(400, { type: 'invalid_request_error', code: 'charge_already_refunded' });
    payment.refunded = refunded;
  }

  newMethod(kind: Card, customer: string | null, allow_redisplay: Stripe.PaymentMethod['allow_redisplay'] = 'limited'): Method {
    const card = { brand: 'visa', last4: LAST4[kind], exp_month: 12, exp_year: 2040, fingerprint: `print-${kind}` };
    return this.add<Omit<Method, 'id'>>(this.methods, 'pm', {
      object: 'payment_method',
      type: 'card',
      card: card as Stripe.PaymentMethod.Card,
      customer,
      allow_redisplay,
      kind,
    });
  }

  /**
   * Submits a card on a Checkout page, as a customer.
   * @returns the URL of the redirect; null where the page shows an error
   */
  pay(url: string, kind: Card, savesCard = false): string | null {
    const session = this.getOrThrow(this.sessions, url.split('/').at(-1), 'session');
    if (session.status !== 'open') return session.success_url;
    const customer = getId(session.customer);
    const isRefused = kind === 'declined' || kind === 'poor';
    const refusal = isRefused ? cardFailure(kind) : null;
    if (session.mode === 'payment') {
      const existingPayment = this.payments.get(getId(session.payment_intent));
      const payment =
        existingPayment ??
        this.add<Omit<Payment, 'id'>>(this.payments, 'pi', {
          ...session.paymentData,
          metadata: session.paymentData?.metadata ?? {},
          object: 'payment_intent',
          customer,
          status: 'requires_payment_method',
        });
      session.payment_intent = payment.id;
      payment.last_payment_error = refusal as Stripe.PaymentIntent.LastPaymentError | null;
      if (isRefused) return null;
      payment.payment_method = this.newMethod(kind, savesCard ? customer : null, savesCard ? 'always' : 'limited').id;
      payment.status = 'requires_capture';
    } else {
      const setup = this.add<Omit<Setup, 'id'>>(this.setups, 'seti', {
        ...session.setupData,
        metadata: session.setupData?.metadata ?? {},
        object: 'setup_intent',
        customer,
        status: 'requires_payment_method',
        last_setup_error: refusal as Stripe.SetupIntent.LastSetupError | null,
      });
      session.setup_intent = setup.id;
      if (isRefused) return null;
      setup.payment_method = this.newMethod(kind, customer).id;
      setup.status = 'succeeded';
    }
    session.status = 'complete';
    session.url = null;
    return (session.success_url ?? '').replace('{CHECKOUT_SESSION_ID}', session.id);
  }

  /** Pays an intent with a saved card, without a page. */
  confirmIntent(intent: Payment | Setup, methodId: string, returnUrl: string): void {
    if (intent.status !== 'requires_payment_method')
      throw new GatewayError(400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' });
    const method = this.getOrThrow(this.methods, methodId, 'PaymentMethod');
    if (method.customer !== intent.customer)
      throw new GatewayError(400, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: 'The card belongs to another customer.',
      });
    intent.returnUrl = returnUrl;
    intent.payment_method = method.id;
    if (method.kind === 'challenge') {
      intent.status = 'requires_action';
      const redirect_to_url = { url: `https://bank.example/${intent.id}`, return_url: returnUrl };
      Object.assign(intent, { next_action: { type: 'redirect_to_url', redirect_to_url } });
      return;
    }
    if (method.kind === 'good') {
      intent.status = intent.object === 'payment_intent' ? 'requires_capture' : 'succeeded';
      return;
    }
    this.declineIntent(intent, cardFailure(method.kind));
    throw new GatewayError(402, cardFailure(method.kind));
  }

  declineIntent(intent: Payment | Setup, failure: Failure): void {
    intent.status = 'requires_payment_method';
    Object.assign(intent, {
      next_action: null,
      [intent.object === 'payment_intent' ? 'last_payment_error' : 'last_setup_error']: failure,
    });
  }

  /** Submits the bank's page. @returns the URL of the redirect */
  answerBank(url: string, approves: boolean): string {
    const id = url.split('/').at(-1) ?? '';
    const intent = this.payments.get(id) ?? this.getOrThrow(this.setups, id, 'intent');
    if (!approves) this.declineIntent(intent, cardFailure('challenge'));
    else {
      intent.status = intent.object === 'payment_intent' ? 'requires_capture' : 'succeeded';
      Object.assign(intent, { next_action: null });
    }
    return `${intent.returnUrl ?? ''}&payment_intent=${id}`;
  }

  /** Whether the customer's default card pays renewals. */
  cardPaysRenewal = (customer: unknown): boolean => {
    const method = this.methods.get(this.customers.get(String(customer))?.card ?? '');
    return method?.customer === customer && method?.kind === 'good';
  };

  /** Whether the customer's default card pays the first period. */
  cardPaysFirstPeriod = (customer: unknown): boolean => {
    const method = this.methods.get(this.customers.get(String(customer))?.card ?? '');
    return method?.customer === customer && (method?.kind === 'good' || method?.kind === 'once');
  };

  addInvoice(
    subscription: Subscription,
    reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update',
    isPaid: boolean,
    amount = subscription.amount,
  ): Invoice {
    const payment_intent = newId('pi');
    if (isPaid)
      this.payments.set(payment_intent, {
        id: payment_intent,
        object: 'payment_intent',
        status: 'succeeded',
        amount,
        metadata: {},
      });
    const invoice = this.add<Omit<Invoice, 'id'>>(this.invoices, 'in', {
      object: 'invoice',
      billing_reason: reason,
      status: isPaid ? 'paid' : 'open',
      created: subscription.start,
      payments: {
        data: [{ payment: { type: 'payment_intent', payment_intent } }],
      } as unknown as Stripe.ApiList<Stripe.InvoicePayment>,
      currency: subscription.currency,
      amount_paid: isPaid ? amount : 0,
      subscriptionId: subscription.id,
    });
    subscription.latest_invoice = invoice.id;
    return invoice;
  }

  /**
   * The amount due for a change to another price: the price minus the unused part of the paid
   * period, or the full price in a trial, which is unpaid.
   */
  computeDue = ({ status, amount, start, end }: Subscription, price: number, changedAt: number): number =>
    price - (status === 'trialing' ? 0 : Math.round((amount * (end - changedAt)) / (end - start)));

  /** Processes every renewal that is due by now. */
  tick(): void {
    for (const subscription of this.subscriptions.values())
      while (subscription.status !== 'canceled' && subscription.end <= this.now()) {
        if (subscription.cancel_at_period_end || subscription.status === 'past_due') {
          Object.assign(subscription, { status: 'canceled', ended_at: subscription.end });
          break;
        }
        Object.assign(subscription, { start: subscription.end, end: subscription.end + subscription.length });
        const isPaid = this.cardPaysRenewal(subscription.customer);
        this.addInvoice(subscription, 'subscription_cycle', isPaid);
        subscription.status = isPaid ? 'active' : 'past_due';
      }
  }
}
