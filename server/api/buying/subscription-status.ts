import { findActiveSubscription } from '../../entitlements/subscription.ts';
import type { Answer, Call } from '../calls/call.ts';
import { unauthorized } from '../../kernel/errors.ts';

/** Returns whether the customer has an active subscription; `data` is its plan's id. */
export async function subscriptionStatus(call: Call<'subscriptionStatus'>): Answer<'subscriptionStatus'> {
  const { services, store, customer, query } = call;
  if (!customer && query.accesstoken !== undefined) throw unauthorized();
  if (!customer) return { subscribed: false, data: null };
  const subscription = await findActiveSubscription(services.db, { storeId: store.id, userId: customer.id });
  return { subscribed: subscription !== undefined, data: subscription?.plan_id ?? null };
}
