import type { ExpressionBuilder } from 'kysely';
import { lockCustomer } from '../accounts/lock-customer.ts';
import type { Database } from '../database/open.ts';
import type { Tables } from '../database/schema/tables.ts';
import { readableCopy } from '../payment/ownership.ts';
import type { Answer, CustomerCall } from './call.ts';
import type { Store } from '../stores.ts';
import { limitCustomer } from './limits.ts';
import { notFound } from './refusal.ts';
import { shopNow } from '../clock/time.ts';

type Position = NonNullable<Awaited<Answer<'viewerProgress'>>['position']>;

type Key = { store_id: string; user_id: string; title_id: string; context_key: string };
type Saved = { position: string; saved_at: Date };
type Place = { store: Store; customer: { id: string }; query: { titleid: string; contextkey: string } };

const keyOf = ({ store, customer, query }: Place): Key => ({
  store_id: store.id,
  user_id: customer.id,
  title_id: query.titleid,
  context_key: query.contextkey,
});

/** Where the customer left off; position is null when the title was never opened. */
export async function viewerProgress(call: CustomerCall<'viewerProgress'>): Answer<'viewerProgress'> {
  const key = keyOf(call);
  const row = await call.services.db
    .selectFrom('progress')
    .select(['position', 'saved_at'])
    .where((eb) => eb.and(key))
    .executeTakeFirst();
  // What was kept had been checked when it came.
  return row ? { position: row.position as Position, savedAt: row.saved_at.toISOString() } : { position: null, savedAt: null };
}

/**
 * Positions that a customer has of one title, each under a context key: more than one for each
 * medium and one for samples. A further one replaces the one saved longest ago.
 */
const MAX_CONTEXTS = 10;

/** Keeps a position under a key that the title has none for. */
async function addContext(db: Database, key: Key, saved: Saved): Promise<void> {
  const { store_id, user_id, title_id } = key;
  await db.transaction().execute(async (trx) => {
    // Devices that save at the same moment must not delete each other's rows in a different order.
    await lockCustomer(trx, store_id, user_id);
    await trx
      .insertInto('progress')
      .values({ ...key, ...saved })
      .onConflict((conflict) => conflict.columns(['store_id', 'user_id', 'title_id', 'context_key']).doUpdateSet(saved))
      .execute();
    const own = (eb: ExpressionBuilder<Tables, 'progress'>) => eb.and({ store_id, user_id, title_id });
    const latest = trx.selectFrom('progress').select('context_key').where(own).orderBy('saved_at', 'desc').limit(MAX_CONTEXTS);
    await trx.deleteFrom('progress').where(own).where('context_key', 'not in', latest).execute();
  });
}

/**
 * Keeps where the customer is: in a title that they may read, or in one that can be sampled.
 * @throws Refusal 404; 429 after too many new context keys
 */
export async function saveViewerProgress(call: CustomerCall<'saveViewerProgress'>): Answer<'saveViewerProgress'> {
  const { services, store, customer, query, body } = call;
  const owner = { storeId: store.id, userId: customer.id, titleId: query.titleid };
  const title = await services.db
    .selectFrom('titles')
    .select('has_sample')
    .where('store_id', '=', store.id)
    .where('id', '=', query.titleid)
    .executeTakeFirst();
  if (!title || !(title.has_sample || (await readableCopy(services.db, owner)))) throw notFound('title');
  const key = keyOf(call);
  const saved = { position: JSON.stringify(body.position), saved_at: shopNow() };
  const { numUpdatedRows } = await services.db
    .updateTable('progress')
    .set(saved)
    .where((eb) => eb.and(key))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    await limitCustomer(call, 'progress-context');
    await addContext(services.db, key, saved);
  }
  return { position: body.position, savedAt: saved.saved_at.toISOString() };
}
