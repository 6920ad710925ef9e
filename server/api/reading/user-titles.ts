import { readOwnedCopies } from '../../entitlements/ownership.ts';
import { readOpenedTitles } from '../../entitlements/opened-titles.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';

/**
 * The ids of titles that the customer owns, and those that their subscription includes: lists need
 * these, since they are cached for all visitors.
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
