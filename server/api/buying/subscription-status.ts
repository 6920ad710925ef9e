import { runningSubscription } from '../../entitlements/held.ts';
import type { Answer, Call } from '../calls/call.ts';
import { unauthorized } from '../../kernel/errors.ts';

/** Whether the customer has an active subscription; data is its plan's id. A visitor has none. */
export async function subscriptionStatus(call: Call<'subscriptionStatus'>): Answer<'subscriptionStatus'> {
  const { services, store, customer, query } = call;
  if (!customer && query.accesstoken !== undefined) throw unauthorized();
  if (!customer) return { subscribed: false, data: null };
  const running = await runningSubscription(services.db, { storeId: store.id, userId: customer.id });
  return { subscribed: running !== undefined, data: running?.plan_id ?? null };
}
