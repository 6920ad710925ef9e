import { writeAuditLog } from '../../kernel/audit.ts';
import { endSession } from '../../accounts/tokens.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { okResult } from '../calls/ok-result.ts';

/** Ends the session of the call; the customer's other sessions continue. */
export async function signOut({ services, store, customer, request }: CustomerCall<'signOut'>): Answer<'signOut'> {
  await services.db.transaction().execute(async (trx) => {
    await endSession(trx, customer);
    await writeAuditLog(trx, 'signed_out', { storeId: store.id, userId: customer.id, address: request.ip });
  });
  return okResult();
}
