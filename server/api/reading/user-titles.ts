import { readOwnedCopies } from '../../entitlements/ownership.ts';
import { readOpenedTitles } from '../../entitlements/opened-titles.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';

/**
 * Returns the titles that the customer owns, and those that their subscription opens. Pages need
 * them to mark titles in lists, which are cached for all visitors.
 */
export async function userTitles({ services, store, customer }: CustomerCall<'userTitles'>): Answer<'userTitles'> {
  const owner = { storeId: store.id, userId: customer.id };
  const rows = await readOwnedCopies(services.db, owner);
  const { opensAll, titleIds } = await readOpenedTitles(services.db, owner);
  return {
    titles: rows.map((row) => ({ titleId: row.title_id, instanceId: row.instance_id })),
    opened: titleIds,
    opensAll,
  };
}
