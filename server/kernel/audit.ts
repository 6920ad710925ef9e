import type { Database } from '../database/open.ts';
import type { AuditKind } from '../database/schema/people.ts';
import { toNetwork } from '../base/network.ts';

/** Retention of the audit log in days. */
export const AUDIT_DAYS = 180;

type AuditEntry = {
  storeId: string;
  userId: string | null;
  /** the network address of the request; undefined for an action of the server itself */
  address?: string;
};

/** Writes an action on an account to the audit log. Nothing that a customer has typed is stored. */
export async function writeAuditLog(db: Database, kind: AuditKind, { storeId, userId, address }: AuditEntry): Promise<void> {
  const network = address === undefined ? '' : toNetwork(address);
  await db.insertInto('audit_log').values({ store_id: storeId, user_id: userId, kind, network }).execute();
}
