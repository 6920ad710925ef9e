import type { Orders } from 'razorpay/dist/types/orders.js';
import type { Plans } from 'razorpay/dist/types/plans.js';
import type { Refunds } from 'razorpay/dist/types/refunds.js';
import type { Subscriptions } from 'razorpay/dist/types/subscriptions.js';
import type { ParameterShape } from '../fake-gateway.ts';

const toShape = <Params>(names: { [Name in keyof Params]?: ParameterShape }): ParameterShape => names as ParameterShape;

const notes: ParameterShape = {
  reference: true,
  return_url_1: true,
  return_url_2: true,
  description: true,
  shop_name: true,
  language: true,
  method: true,
  trial_days: true,
  cancelled: true,
};

/**
 * Calls of the fake gateway, with their parameters; the names come from the official library's
 * types.
 */
export const ACCEPTED_PARAMETERS: Record<string, ParameterShape> = {
  'GET /v1/orders': toShape<Orders.RazorpayOrderQuery>({ count: true, from: true, to: true, skip: true }),
  'POST /v1/orders': toShape<Orders.RazorpayOrderCreateRequestBody>({
    amount: true,
    currency: true,
    receipt: true,
    notes,
    payment: toShape<Orders.RazorpayCapturePayment>({ capture: true }),
  }),
  'GET /v1/orders/:id': {},
  'PATCH /v1/orders/:id': toShape<Orders.RazorpayOrderUpdateRequestBody>({ notes }),
  'GET /v1/orders/:id/payments': {},
  'GET /v1/payments/:id': {},
  'POST /v1/payments/:id/capture': { amount: true, currency: true },
  'POST /v1/payments/:id/refund': toShape<Refunds.RazorpayRefundCreateRequestBody>({ speed: true }),
  'POST /v1/plans': toShape<Plans.RazorpayPlanCreateRequestBody>({
    period: true,
    interval: true,
    item: { name: true, amount: true, currency: true },
  }),
  'POST /v1/subscriptions': toShape<Subscriptions.RazorpaySubscriptionCreateRequestBody>({
    plan_id: true,
    total_count: true,
    quantity: true,
    customer_notify: true,
    expire_by: true,
    start_at: true,
    notes,
  }),
  'GET /v1/subscriptions/:id': {},
  'PATCH /v1/subscriptions/:id': toShape<Subscriptions.RazorpaySubscriptionUpdateRequestBody>({
    plan_id: true,
    remaining_count: true,
    schedule_change_at: true,
    customer_notify: true,
  }),
  'POST /v1/subscriptions/:id/cancel_scheduled_changes': {},
  'POST /v1/subscriptions/:id/cancel': { cancel_at_cycle_end: true },
  'GET /v1/invoices/:id': {},
  'GET /v1/invoices': { subscription_id: true, count: true, skip: true },
};
