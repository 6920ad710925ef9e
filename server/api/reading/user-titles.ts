import { ownedCopies } from '../../entitlements/ownership.ts';
import { openedFor } from '../../entitlements/opened-titles.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';

/** The ids of all that is the customer's, and of what their subscription opens: lists have to know of it, which are the same for everybody. */
export async function userTitles({ services, store, customer }: CustomerCall<'userTitles'>): Answer<'userTitles'> {
  const owner = { storeId: store.id, userId: customer.id };
  const rows = await ownedCopies(services.db, owner);
  const { opensAll, titleIds } = await openedFor(services.db, owner);
  return {
    titles: rows.map((row) => ({ titleId: row.title_id, instanceId: row.instance_id })),
    opened: titleIds,
    opensAll,
  };
}
