import { type Intent, refundRefusedError } from '../port.ts';
import { callStripe, createOnce } from './calls.ts';
import type { StripeParts } from './cards.ts';
import { findStripeObjects, requireIntent } from './intents.ts';
import { getExpanded } from './expanded.ts';

/**
 * Refunds a payment. Without an amount Stripe refunds all that remains; the idempotency key
 * contains the amount refunded so far, so that a later refund is a new one.
 */
export async function refundIntent(parts: StripeParts, id: string): Promise<Intent> {
  const { stripe } = parts;
  const payment = (await findStripeObjects(parts, id))?.payment;
  const charge = getExpanded(payment?.latest_charge);
  if (payment?.status === 'succeeded' && charge && !charge.refunded)
    await callStripe<unknown>(
      () =>
        createOnce(`refund/${payment.id}/${charge.amount_refunded}`, (options) =>
          stripe.refunds.create({ payment_intent: payment.id, metadata: payment.metadata }, options),
        ),
      async ({ code, message }) => {
        // It was refunded elsewhere in the meantime.
        if (code !== 'charge_already_refunded') throw refundRefusedError(message);
      },
    );
  return requireIntent(parts, id);
}
