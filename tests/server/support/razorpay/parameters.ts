import type { Orders } from 'razorpay/dist/types/orders.js';
import type { Plans } from 'razorpay/dist/types/plans.js';
import type { Refunds } from 'razorpay/dist/types/refunds.js';
import type { Subscriptions } from 'razorpay/dist/types/subscriptions.js';
import type { Shape } from '../gateway-stand-in.ts';

const shape = <Params>(names: { [Name in keyof Params]?: Shape }): Shape => names as Shape;

const notes: Shape = {
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

/** The calls that the stand-in answers, and what each takes; the names are those of the official library's types. */
export const CALLS: Record<string, Shape> = {
  'GET /v1/orders': shape<Orders.RazorpayOrderQuery>({ count: true, from: true, to: true, skip: true }),
  'POST /v1/orders': shape<Orders.RazorpayOrderCreateRequestBody>({
    amount: true,
    currency: true,
    receipt: true,
    notes,
    payment: shape<Orders.RazorpayCapturePayment>({ capture: true }),
  }),
  'GET /v1/orders/:id': {},
  'PATCH /v1/orders/:id': shape<Orders.RazorpayOrderUpdateRequestBody>({ notes }),
  'GET /v1/orders/:id/payments': {},
  'GET /v1/payments/:id': {},
  'POST /v1/payments/:id/capture': { amount: true, currency: true },
  'POST /v1/payments/:id/refund': shape<Refunds.RazorpayRefundCreateRequestBody>({ speed: true }),
  'POST /v1/plans': shape<Plans.RazorpayPlanCreateRequestBody>({
    period: true,
    interval: true,
    item: { name: true, amount: true, currency: true },
  }),
  'POST /v1/subscriptions': shape<Subscriptions.RazorpaySubscriptionCreateRequestBody>({
    plan_id: true,
    total_count: true,
    quantity: true,
    customer_notify: true,
    expire_by: true,
    start_at: true,
    notes,
  }),
  'GET /v1/subscriptions/:id': {},
  'PATCH /v1/subscriptions/:id': shape<Subscriptions.RazorpaySubscriptionUpdateRequestBody>({
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
