import { note } from '../../kernel/audit.ts';
import { endSession } from '../../accounts/tokens.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { done } from '../calls/done.ts';

/** Ends the session that the call is made with, and no other. */
export async function signOut({ services, store, customer, request }: CustomerCall<'signOut'>): Answer<'signOut'> {
  await services.db.transaction().execute(async (trx) => {
    await endSession(trx, customer);
    await note(trx, 'signed_out', { storeId: store.id, userId: customer.id, address: request.ip });
  });
  return done();
}
