import { readableCopies } from '../payment/ownership.ts';
import type { Answer, CustomerCall } from './call.ts';

/** The ids of everything that the customer may read now: what lists have to know of it, which are the same for everybody. */
export async function userTitles({ services, store, customer }: CustomerCall<'userTitles'>): Answer<'userTitles'> {
  const rows = await readableCopies(services.db, { storeId: store.id, userId: customer.id });
  return { titles: rows.map((row) => ({ titleId: row.title_id, instanceId: row.instance_id })) };
}
