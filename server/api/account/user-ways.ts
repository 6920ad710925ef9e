import { readPasswordHash } from '../../accounts/credential.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { unauthorized } from '../../kernel/errors.ts';

/** Returns whether the customer has a password. */
export async function userWays({ services, store, customer }: CustomerCall<'userWays'>): Answer<'userWays'> {
  const hash = await readPasswordHash(services.db, { storeId: store.id, userId: customer.id });
  if (hash === undefined) throw unauthorized();
  return { hasPassword: hash !== null };
}
