import type { Database } from '../database/open.ts';
import type { AuditKind } from '../database/schema/people.ts';
import { networkOf } from '../base/network.ts';

/** Days for which the log is kept. */
export const AUDIT_DAYS = 180;

type Done = {
  storeId: string;
  userId: string | null;
  /** the network address that the request came from; none where the server itself did it */
  address?: string;
};

/** Writes down what was done with an account. Nothing of what was typed is in it. */
export async function note(db: Database, kind: AuditKind, { storeId, userId, address }: Done): Promise<void> {
  const network = address === undefined ? '' : networkOf(address);
  await db.insertInto('audit_log').values({ store_id: storeId, user_id: userId, kind, network }).execute();
}
