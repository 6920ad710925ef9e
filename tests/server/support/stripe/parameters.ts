import type Stripe from 'stripe';
import type { Shape } from '../gateway-stand-in.ts';

const shape = <Params>(names: { [Name in keyof Params]?: Shape }): Shape => names as Shape;

type Session = Stripe.Checkout.SessionCreateParams;
type Line = NonNullable<Session['line_items']>[number];
type LinePrice = NonNullable<Line['price_data']>;
type NewPrice = NonNullable<NonNullable<Stripe.SubscriptionUpdateParams['items']>[number]>;
type SubscriptionItem = NonNullable<Stripe.SubscriptionCreateParams['items']>[number];

const expand = [true] as [Shape];
/** Another price for what is subscribed to. */
const newPrice = [
  shape<NewPrice>({
    id: true,
    price_data: shape<NonNullable<NewPrice['price_data']>>({
      currency: true,
      product: true,
      unit_amount: true,
      recurring: { interval: true, interval_count: true },
    }),
  }),
] as [Shape];

/** The calls that the stand-in answers, and what each takes. */
export const CALLS: Record<string, Shape> = {
  'GET /v1/balance': {},
  'POST /v1/customers': shape<Stripe.CustomerCreateParams>({ metadata: { customer: true } }),
  'GET /v1/customers/:id': shape<Stripe.CustomerRetrieveParams>({ expand }),
  'POST /v1/customers/:id': shape<Stripe.CustomerUpdateParams>({
    invoice_settings: shape<Stripe.CustomerUpdateParams.InvoiceSettings>({ default_payment_method: true }),
  }),
  'GET /v1/customers/:id/payment_methods': shape<Stripe.CustomerListPaymentMethodsParams>({ type: true, limit: true }),
  'POST /v1/checkout/sessions': shape<Session>({
    mode: true,
    customer: true,
    client_reference_id: true,
    allowed_payment_method_types: [true],
    success_url: true,
    cancel_url: true,
    locale: true,
    expires_at: true,
    metadata: { reference: true, card_token: true },
    line_items: [
      shape<Line>({
        quantity: true,
        price_data: shape<LinePrice>({
          currency: true,
          unit_amount: true,
          product_data: shape<NonNullable<LinePrice['product_data']>>({ name: true, description: true }),
        }),
      }),
    ],
    payment_intent_data: shape<NonNullable<Session['payment_intent_data']>>({
      capture_method: true,
      description: true,
      metadata: { reference: true },
    }),
    setup_intent_data: shape<NonNullable<Session['setup_intent_data']>>({
      description: true,
      metadata: { reference: true, currency: true, description: true, amount_minor: true, period: true, trial_days: true },
    }),
    saved_payment_method_options: shape<NonNullable<Session['saved_payment_method_options']>>({ payment_method_save: true }),
  }),
  'GET /v1/checkout/sessions/:id': shape<Stripe.Checkout.SessionRetrieveParams>({ expand }),
  'POST /v1/checkout/sessions/:id/expire': {},
  'POST /v1/payment_intents': shape<Stripe.PaymentIntentCreateParams>({
    amount: true,
    currency: true,
    customer: true,
    description: true,
    allowed_payment_method_types: [true],
    capture_method: true,
    metadata: { reference: true, page: true },
  }),
  'GET /v1/payment_intents/:id': shape<Stripe.PaymentIntentRetrieveParams>({ expand }),
  'POST /v1/payment_intents/:id/confirm': shape<Stripe.PaymentIntentConfirmParams>({ payment_method: true, return_url: true }),
  'POST /v1/payment_intents/:id/capture': {},
  'POST /v1/payment_intents/:id/cancel': {},
  'POST /v1/setup_intents': shape<Stripe.SetupIntentCreateParams>({
    customer: true,
    description: true,
    allowed_payment_method_types: [true],
    usage: true,
    metadata: {
      reference: true,
      currency: true,
      description: true,
      amount_minor: true,
      period: true,
      trial_days: true,
      page: true,
    },
  }),
  'GET /v1/setup_intents/:id': shape<Stripe.SetupIntentRetrieveParams>({ expand }),
  'POST /v1/setup_intents/:id': shape<Stripe.SetupIntentUpdateParams>({ metadata: { failed: true, cancelled: true } }),
  'POST /v1/setup_intents/:id/confirm': shape<Stripe.SetupIntentConfirmParams>({ payment_method: true, return_url: true }),
  'POST /v1/setup_intents/:id/cancel': {},
  'GET /v1/payment_methods/:id': {},
  'POST /v1/payment_methods/:id': shape<Stripe.PaymentMethodUpdateParams>({ allow_redisplay: true }),
  'POST /v1/payment_methods/:id/detach': {},
  'POST /v1/billing_portal/sessions': shape<Stripe.BillingPortal.SessionCreateParams>({
    customer: true,
    return_url: true,
    locale: true,
    flow_data: shape<Stripe.BillingPortal.SessionCreateParams.FlowData>({
      type: true,
      after_completion: shape<Stripe.BillingPortal.SessionCreateParams.FlowData.AfterCompletion>({
        type: true,
        redirect: { return_url: true },
      }),
    }),
  }),
  'POST /v1/products': shape<Stripe.ProductCreateParams>({ id: true, name: true }),
  'GET /v1/products/:id': {},
  'POST /v1/subscriptions': shape<Stripe.SubscriptionCreateParams>({
    customer: true,
    items: [
      shape<SubscriptionItem>({
        price_data: shape<NonNullable<SubscriptionItem['price_data']>>({
          currency: true,
          product: true,
          unit_amount: true,
          recurring: { interval: true, interval_count: true },
        }),
      }),
    ],
    trial_period_days: true,
    off_session: true,
    payment_behavior: true,
    metadata: { reference: true, card: true },
  }),
  'GET /v1/subscriptions': shape<Stripe.SubscriptionListParams>({ customer: true, status: true, limit: true }),
  'GET /v1/subscriptions/:id': {},
  'POST /v1/subscriptions/:id': shape<Stripe.SubscriptionUpdateParams>({
    cancel_at_period_end: true,
    items: newPrice,
    billing_cycle_anchor: shape<Stripe.SubscriptionUpdateParams.BillingCycleAnchor>({ type: true }),
    proration_behavior: true,
    proration_date: true,
    trial_end: true,
    off_session: true,
    payment_behavior: true,
    metadata: { cancelled_at: true, card: true, change: true, renewals_before: true },
  }),
  'DELETE /v1/subscriptions/:id': {},
  'GET /v1/invoices': shape<Stripe.InvoiceListParams>({
    subscription: true,
    status: true,
    limit: true,
    created: { gt: true, gte: true },
    expand,
  }),
  'GET /v1/invoices/:id': {},
  'GET /v1/invoice_payments': shape<Stripe.InvoicePaymentListParams>({
    payment: shape<Stripe.InvoicePaymentListParams.Payment>({ type: true, payment_intent: true }),
  }),
  'POST /v1/invoices/create_preview': shape<Stripe.InvoiceCreatePreviewParams>({
    subscription: true,
    subscription_details: shape<Stripe.InvoiceCreatePreviewParams.SubscriptionDetails>({
      items: newPrice,
      billing_cycle_anchor: shape<Stripe.InvoiceCreatePreviewParams.SubscriptionDetails.BillingCycleAnchor>({ type: true }),
      proration_behavior: true,
      proration_date: true,
    }),
  }),
  'POST /v1/invoices/:id/pay': shape<Stripe.InvoicePayParams>({ payment_method: true }),
  'POST /v1/refunds': shape<Stripe.RefundCreateParams>({ payment_intent: true, metadata: { reference: true, page: true } }),
};

/** Stripe's form encoding, a[b][0]=c, as nested objects; all values are texts. */
export function readForm(text: string): Record<string, unknown> {
  const form: Record<string, unknown> = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const names = key.split(/[[\]]+/).filter((name) => name !== '');
    let place = form;
    for (const name of names.slice(0, -1)) place = (place[name] ??= {}) as Record<string, unknown>;
    place[names.at(-1) ?? ''] = value;
  }
  return form;
}
