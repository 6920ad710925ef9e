import { passwordHash } from '../../accounts/credential.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { unauthorized } from '../../kernel/errors.ts';

/** How the customer signs in. */
export async function userWays({ services, store, customer }: CustomerCall<'userWays'>): Answer<'userWays'> {
  const hash = await passwordHash(services.db, { storeId: store.id, userId: customer.id });
  if (hash === undefined) throw unauthorized();
  return { hasPassword: hash !== null };
}
