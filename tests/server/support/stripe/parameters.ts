import type Stripe from 'stripe';
import type { ParameterShape } from '../fake-gateway.ts';

const toShape = <Params>(names: { [Name in keyof Params]?: ParameterShape }): ParameterShape => names as ParameterShape;

type Session = Stripe.Checkout.SessionCreateParams;
type Line = NonNullable<Session['line_items']>[number];
type LinePrice = NonNullable<Line['price_data']>;
type NewPrice = NonNullable<NonNullable<Stripe.SubscriptionUpdateParams['items']>[number]>;
type SubscriptionItem = NonNullable<Stripe.SubscriptionCreateParams['items']>[number];

const expand = [true] as [ParameterShape];
/** A new price for a subscription. */
const newPrice = [
  toShape<NewPrice>({
    id: true,
    price_data: toShape<NonNullable<NewPrice['price_data']>>({
      currency: true,
      product: true,
      unit_amount: true,
      recurring: { interval: true, interval_count: true },
    }),
  }),
] as [ParameterShape];

/**
 * Calls of the fake gateway, with their parameters; the names come from the official library's
 * types.
 */
export const ACCEPTED_PARAMETERS: Record<string, ParameterShape> = {
  'GET /v1/balance': {},
  'POST /v1/customers': toShape<Stripe.CustomerCreateParams>({ metadata: { customer: true } }),
  'GET /v1/customers/:id': toShape<Stripe.CustomerRetrieveParams>({ expand }),
  'POST /v1/customers/:id': toShape<Stripe.CustomerUpdateParams>({
    invoice_settings: toShape<Stripe.CustomerUpdateParams.InvoiceSettings>({ default_payment_method: true }),
  }),
  'GET /v1/customers/:id/payment_methods': toShape<Stripe.CustomerListPaymentMethodsParams>({ type: true, limit: true }),
  'POST /v1/checkout/sessions': toShape<Session>({
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
      toShape<Line>({
        quantity: true,
        price_data: toShape<LinePrice>({
          currency: true,
          unit_amount: true,
          product_data: toShape<NonNullable<LinePrice['product_data']>>({ name: true, description: true }),
        }),
      }),
    ],
    payment_intent_data: toShape<NonNullable<Session['payment_intent_data']>>({
      capture_method: true,
      description: true,
      metadata: { reference: true },
    }),
    setup_intent_data: toShape<NonNullable<Session['setup_intent_data']>>({
      description: true,
      metadata: { reference: true, currency: true, description: true, amount_minor: true, period: true, trial_days: true },
    }),
    saved_payment_method_options: toShape<NonNullable<Session['saved_payment_method_options']>>({ payment_method_save: true }),
  }),
  'GET /v1/checkout/sessions/:id': toShape<Stripe.Checkout.SessionRetrieveParams>({ expand }),
  'POST /v1/checkout/sessions/:id/expire': {},
  'POST /v1/payment_intents': toShape<Stripe.PaymentIntentCreateParams>({
    amount: true,
    currency: true,
    customer: true,
    description: true,
    allowed_payment_method_types: [true],
    capture_method: true,
    metadata: { reference: true, page: true },
  }),
  'GET /v1/payment_intents/:id': toShape<Stripe.PaymentIntentRetrieveParams>({ expand }),
  'POST /v1/payment_intents/:id/confirm': toShape<Stripe.PaymentIntentConfirmParams>({ payment_method: true, return_url: true }),
  'POST /v1/payment_intents/:id/capture': {},
  'POST /v1/payment_intents/:id/cancel': {},
  'POST /v1/setup_intents': toShape<Stripe.SetupIntentCreateParams>({
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
  'GET /v1/setup_intents/:id': toShape<Stripe.SetupIntentRetrieveParams>({ expand }),
  'POST /v1/setup_intents/:id': toShape<Stripe.SetupIntentUpdateParams>({ metadata: { failed: true, cancelled: true } }),
  'POST /v1/setup_intents/:id/confirm': toShape<Stripe.SetupIntentConfirmParams>({ payment_method: true, return_url: true }),
  'POST /v1/setup_intents/:id/cancel': {},
  'GET /v1/payment_methods/:id': {},
  'POST /v1/payment_methods/:id': toShape<Stripe.PaymentMethodUpdateParams>({ allow_redisplay: true }),
  'POST /v1/payment_methods/:id/detach': {},
  'POST /v1/billing_portal/sessions': toShape<Stripe.BillingPortal.SessionCreateParams>({
    customer: true,
    return_url: true,
    locale: true,
    flow_data: toShape<Stripe.BillingPortal.SessionCreateParams.FlowData>({
      type: true,
      after_completion: toShape<Stripe.BillingPortal.SessionCreateParams.FlowData.AfterCompletion>({
        type: true,
        redirect: { return_url: true },
      }),
    }),
  }),
  'POST /v1/products': toShape<Stripe.ProductCreateParams>({ id: true, name: true }),
  'GET /v1/products/:id': {},
  'POST /v1/subscriptions': toShape<Stripe.SubscriptionCreateParams>({
    customer: true,
    items: [
      toShape<SubscriptionItem>({
        price_data: toShape<NonNullable<SubscriptionItem['price_data']>>({
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
  'GET /v1/subscriptions': toShape<Stripe.SubscriptionListParams>({ customer: true, status: true, limit: true }),
  'GET /v1/subscriptions/:id': {},
  'POST /v1/subscriptions/:id': toShape<Stripe.SubscriptionUpdateParams>({
    cancel_at_period_end: true,
    items: newPrice,
    billing_cycle_anchor: toShape<Stripe.SubscriptionUpdateParams.BillingCycleAnchor>({ type: true }),
    proration_behavior: true,
    proration_date: true,
    trial_end: true,
    off_session: true,
    payment_behavior: true,
    metadata: { cancelled_at: true, card: true, change: true, renewals_before: true },
  }),
  'DELETE /v1/subscriptions/:id': {},
  'GET /v1/invoices': toShape<Stripe.InvoiceListParams>({
    subscription: true,
    status: true,
    limit: true,
    created: { gt: true, gte: true },
    expand,
  }),
  'GET /v1/invoices/:id': {},
  'GET /v1/invoice_payments': toShape<Stripe.InvoicePaymentListParams>({
    payment: toShape<Stripe.InvoicePaymentListParams.Payment>({ type: true, payment_intent: true }),
  }),
  'POST /v1/invoices/create_preview': toShape<Stripe.InvoiceCreatePreviewParams>({
    subscription: true,
    subscription_details: toShape<Stripe.InvoiceCreatePreviewParams.SubscriptionDetails>({
      items: newPrice,
      billing_cycle_anchor: toShape<Stripe.InvoiceCreatePreviewParams.SubscriptionDetails.BillingCycleAnchor>({ type: true }),
      proration_behavior: true,
      proration_date: true,
    }),
  }),
  'POST /v1/invoices/:id/pay': toShape<Stripe.InvoicePayParams>({ payment_method: true }),
  'POST /v1/refunds': toShape<Stripe.RefundCreateParams>({ payment_intent: true, metadata: { reference: true, page: true } }),
};

/** Decodes Stripe's form encoding, a[b][0]=c, into nested objects; all values are strings. */
export function parseForm(text: string): Record<string, unknown> {
  const form: Record<string, unknown> = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const names = key.split(/[[\]]+/).filter((name) => name !== '');
    let target = form;
    for (const name of names.slice(0, -1)) target = (target[name] ??= {}) as Record<string, unknown>;
    target[names.at(-1) ?? ''] = value;
  }
  return form;
}
