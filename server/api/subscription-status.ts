import type { Answer, CustomerCall } from './call.ts';

/** Whether a subscription of the customer runs; data is its plan's id. */
export async function subscriptionStatus(call: CustomerCall<'subscriptionStatus'>): Answer<'subscriptionStatus'> {
  const running = await call.services.db
    .selectFrom('subscriptions')
    .select('plan_id')
    .where('store_id', '=', call.store.id)
    .where('user_id', '=', call.customer.id)
    .where('status', 'in', ['active', 'past_due'])
    .executeTakeFirst();
  return { subscribed: running !== undefined, data: running?.plan_id ?? null };
}
