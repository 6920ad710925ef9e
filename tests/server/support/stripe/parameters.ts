import type Stripe from 'stripe';
import type { ParameterShape } from '../fake-gateway.ts';

const shapeOf = <Params>(names: { [Name in keyof Params]?: ParameterShape }): ParameterShape => names as ParameterShape;

type Session = Stripe.Checkout.SessionCreateParams;
type Line = NonNullable<Session['line_items']>[number];
type LinePrice = NonNullable<Line['price_data']>;
type NewPrice = NonNullable<NonNullable<Stripe.SubscriptionUpdateParams['items']>[number]>;
type SubscriptionItem = NonNullable<Stripe.SubscriptionCreateParams['items']>[number];

const expand = [true] as [ParameterShape];
/** A new price for a subscription. */
const newPrice = [
  shapeOf<NewPrice>({
    id: true,
    price_data: shapeOf<NonNullable<NewPrice['price_data']>>({
      currency: true,
      product: true,
      unit_amount: true,
      recurring: { interval: true, interval_count: true },
    }),
  }),
] as [ParameterShape];

/** Calls that the fake answers, with their parameters. */
export const ACCEPTED_PARAMETERS: Record<string, ParameterShape> = {
  'GET /v1/balance': {},
  'POST /v1/customers': shapeOf<Stripe.CustomerCreateParams>({ metadata: { customer: true } }),
  'GET /v1/customers/:id': shapeOf<Stripe.CustomerRetrieveParams>({ expand }),
  'POST /v1/customers/:id': shapeOf<Stripe.CustomerUpdateParams>({
    invoice_settings: shapeOf<Stripe.CustomerUpdateParams.InvoiceSettings>({ default_payment_method: true }),
  }),
  'GET /v1/customers/:id/payment_methods': shapeOf<Stripe.CustomerListPaymentMethodsParams>({ type: true, limit: true }),
  'POST /v1/checkout/sessions': shapeOf<Session>({
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
      shapeOf<Line>({
        quantity: true,
        price_data: shapeOf<LinePrice>({
          currency: true,
          unit_amount: true,
          product_data: shapeOf<NonNullable<LinePrice['product_data']>>({ name: true, description: true }),
        }),
      }),
    ],
    payment_intent_data: shapeOf<NonNullable<Session['payment_intent_data']>>({
      capture_method: true,
      description: true,
      metadata: { reference: true },
    }),
    setup_intent_data: shapeOf<NonNullable<Session['setup_intent_data']>>({
      description: true,
      metadata: { reference: true, currency: true, description: true, amount_minor: true, period: true, trial_days: true },
    }),
    saved_payment_method_options: shapeOf<NonNullable<Session['saved_payment_method_options']>>({ payment_method_save: true }),
  }),
  'GET /v1/checkout/sessions/:id': shapeOf<Stripe.Checkout.SessionRetrieveParams>({ expand }),
  'POST /v1/checkout/sessions/:id/expire': {},
  'POST /v1/payment_intents': shapeOf<Stripe.PaymentIntentCreateParams>({
    amount: true,
    currency: true,
    customer: true,
    description: true,
    allowed_payment_method_types: [true],
    capture_method: true,
    metadata: { reference: true, page: true },
  }),
  'GET /v1/payment_intents/:id': shapeOf<Stripe.PaymentIntentRetrieveParams>({ expand }),
  'POST /v1/payment_intents/:id/confirm': shapeOf<Stripe.PaymentIntentConfirmParams>({ payment_method: true, return_url: true }),
  'POST /v1/payment_intents/:id/capture': {},
  'POST /v1/payment_intents/:id/cancel': {},
  'POST /v1/setup_intents': shapeOf<Stripe.SetupIntentCreateParams>({
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
  'GET /v1/setup_intents/:id': shapeOf<Stripe.SetupIntentRetrieveParams>({ expand }),
  'POST /v1/setup_intents/:id': shapeOf<Stripe.SetupIntentUpdateParams>({ metadata: { failed: true, cancelled: true } }),
  'POST /v1/setup_intents/:id/confirm': shapeOf<Stripe.SetupIntentConfirmParams>({ payment_method: true, return_url: true }),
  'POST /v1/setup_intents/:id/cancel': {},
  'GET /v1/payment_methods/:id': {},
  'POST /v1/payment_methods/:id': shapeOf<Stripe.PaymentMethodUpdateParams>({ allow_redisplay: true }),
  'POST /v1/payment_methods/:id/detach': {},
  'POST /v1/billing_portal/sessions': shapeOf<Stripe.BillingPortal.SessionCreateParams>({
    customer: true,
    return_url: true,
    locale: true,
    flow_data: shapeOf<Stripe.BillingPortal.SessionCreateParams.FlowData>({
      type: true,
      after_completion: shapeOf<Stripe.BillingPortal.SessionCreateParams.FlowData.AfterCompletion>({
        type: true,
        redirect: { return_url: true },
      }),
    }),
  }),
  'POST /v1/products': shapeOf<Stripe.ProductCreateParams>({ id: true, name: true }),
  'GET /v1/products/:id': {},
  'POST /v1/subscriptions': shapeOf<Stripe.SubscriptionCreateParams>({
    customer: true,
    items: [
      shapeOf<SubscriptionItem>({
        price_data: shapeOf<NonNullable<SubscriptionItem['price_data']>>({
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
  'GET /v1/subscriptions': shapeOf<Stripe.SubscriptionListParams>({ customer: true, status: true, limit: true }),
  'GET /v1/subscriptions/:id': {},
  'POST /v1/subscriptions/:id': shapeOf<Stripe.SubscriptionUpdateParams>({
    cancel_at_period_end: true,
    items: newPrice,
    billing_cycle_anchor: shapeOf<Stripe.SubscriptionUpdateParams.BillingCycleAnchor>({ type: true }),
    proration_behavior: true,
    proration_date: true,
    trial_end: true,
    off_session: true,
    payment_behavior: true,
    metadata: { cancelled_at: true, card: true, change: true, renewals_before: true },
  }),
  'DELETE /v1/subscriptions/:id': {},
  'GET /v1/invoices': shapeOf<Stripe.InvoiceListParams>({
    subscription: true,
    status: true,
    limit: true,
    created: { gt: true, gte: true },
    expand,
  }),
  'GET /v1/invoices/:id': {},
  'GET /v1/invoice_payments': shapeOf<Stripe.InvoicePaymentListParams>({
    payment: shapeOf<Stripe.InvoicePaymentListParams.Payment>({ type: true, payment_intent: true }),
  }),
  'POST /v1/invoices/create_preview': shapeOf<Stripe.InvoiceCreatePreviewParams>({
    subscription: true,
    subscription_details: shapeOf<Stripe.InvoiceCreatePreviewParams.SubscriptionDetails>({
      items: newPrice,
      billing_cycle_anchor: shapeOf<Stripe.InvoiceCreatePreviewParams.SubscriptionDetails.BillingCycleAnchor>({ type: true }),
      proration_behavior: true,
      proration_date: true,
    }),
  }),
  'POST /v1/invoices/:id/pay': shapeOf<Stripe.InvoicePayParams>({ payment_method: true }),
  'POST /v1/refunds': shapeOf<Stripe.RefundCreateParams>({ payment_intent: true, metadata: { reference: true, page: true } }),
};

/** Decodes Stripe's form encoding, a[b][0]=c, into nested objects; all values are texts. */
export function parseForm(text: string): Record<string, unknown> {
  const form: Record<string, unknown> = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const names = key.split(/[[\]]+/).filter((name) => name !== '');
    let place = form;
    for (const name of names.slice(0, -1)) place = (place[name] ??= {}) as Record<string, unknown>;
    place[names.at(-1) ?? ''] = value;
  }
  return form;
}
