import { type Intent, noRefund } from '../port.ts';
import { ask, once } from './asking.ts';
import type { StripeParts } from './cards.ts';
import { find, must } from './intents.ts';
import { whole } from './expanded.ts';

/** Without an amount Stripe gives back all that is left; how much went back before makes it another refund than the last. */
export async function refund(parts: StripeParts, id: string): Promise<Intent> {
  const { stripe } = parts;
  const payment = (await find(parts, id))?.payment;
  const charge = whole(payment?.latest_charge);
  if (payment?.status === 'succeeded' && charge && !charge.refunded)
    await ask<unknown>(
      () =>
        once(`refund/${payment.id}/${charge.amount_refunded}`, (options) =>
          stripe.refunds.create({ payment_intent: payment.id, metadata: payment.metadata }, options),
        ),
      async ({ code, message }) => {
        // Somebody else has, in the meantime.
        if (code !== 'charge_already_refunded') throw noRefund(message);
      },
    );
  return must(parts, id);
}
