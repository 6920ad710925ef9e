import type { Answer, CustomerCall } from './call.ts';
import { unauthorized } from './refusal.ts';

/** How the customer signs in. */
export async function userWays({ services, store, customer }: CustomerCall<'userWays'>): Answer<'userWays'> {
  const user = await services.db
    .selectFrom('users')
    .select('password_hash')
    .where('store_id', '=', store.id)
    .where('id', '=', customer.id)
    .executeTakeFirst();
  if (!user) throw unauthorized();
  return { hasPassword: user.password_hash !== null };
}
