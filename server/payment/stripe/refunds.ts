import { type Intent, refundRefusedError } from '../port.ts';
import { callStripe, createOnce } from './calls.ts';
import type { StripeContext } from './cards.ts';
import { findStripeObjects, requireIntent } from './intents.ts';
import { getExpanded } from './expanded.ts';

/**
 * Refunds a payment. Without an amount, Stripe refunds the remaining amount; the idempotency key
 * contains the amount refunded so far, so that a later refund has a new key.
 */
export async function refundIntent(context: StripeContext, id: string): Promise<Intent> {
  const { stripe } = context;
  const payment = (await findStripeObjects(context, id))?.payment;
  const charge = getExpanded(payment?.latest_charge);
  if (payment?.status === 'succeeded' && charge && !charge.refunded)
    await callStripe<unknown>(
      () =>
        createOnce(`refund/${payment.id}/${charge.amount_refunded}`, (options) =>
          stripe.refunds.create({ payment_intent: payment.id, metadata: payment.metadata }, options),
        ),
      async ({ code, message }) => {
        // The payment was refunded elsewhere in the meantime.
        if (code !== 'charge_already_refunded') throw refundRefusedError(message);
      },
    );
  return requireIntent(context, id);
}
