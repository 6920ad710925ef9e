import type { ExpressionBuilder } from 'kysely';
import type { Tables } from '../database/schema/tables.ts';
import { readableCopy } from '../payment/ownership.ts';
import type { Answer, CustomerCall } from './call.ts';
import type { Services } from '../services.ts';
import type { Store } from '../stores.ts';
import { notFound } from './refusal.ts';

type Position = NonNullable<Awaited<Answer<'viewerProgress'>>['position']>;

type Place = { store: Store; customer: { id: string }; query: { titleid: string; contextkey: string } };

const place = ({ store, customer, query }: Place) => ({
  store_id: store.id,
  user_id: customer.id,
  title_id: query.titleid,
  context_key: query.contextkey,
});

/** Where the customer left off; position is null when the title was never opened. */
export async function viewerProgress(call: CustomerCall<'viewerProgress'>): Answer<'viewerProgress'> {
  const key = place(call);
  const row = await call.services.db
    .selectFrom('progress')
    .select(['position', 'saved_at'])
    .where('store_id', '=', key.store_id)
    .where('user_id', '=', key.user_id)
    .where('title_id', '=', key.title_id)
    .where('context_key', '=', key.context_key)
    .executeTakeFirst();
  // What was kept had been checked when it came.
  return row ? { position: row.position as Position, savedAt: row.saved_at.toISOString() } : { position: null, savedAt: null };
}

/** A title has a context for each of its media; whoever makes up more keeps the latest. */
const MOST_CONTEXTS = 10;

async function forgetOldContexts(call: Place & { services: Pick<Services, 'db'> }): Promise<void> {
  const { store_id, user_id, title_id } = place(call);
  const own = (eb: ExpressionBuilder<Tables, 'progress'>) => eb.and({ store_id, user_id, title_id });
  const latest = call.services.db
    .selectFrom('progress')
    .select('context_key')
    .where(own)
    .orderBy('saved_at', 'desc')
    .limit(MOST_CONTEXTS);
  await call.services.db.deleteFrom('progress').where(own).where('context_key', 'not in', latest).execute();
}

/** Keeps where the customer is: in a title that they may read, or in one that can be sampled. */
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
  const kept = { position: JSON.stringify(body.position), saved_at: new Date() };
  await services.db
    .insertInto('progress')
    .values({ ...place(call), ...kept })
    .onConflict((conflict) => conflict.columns(['store_id', 'user_id', 'title_id', 'context_key']).doUpdateSet(kept))
    .execute();
  await forgetOldContexts(call);
  return { position: body.position, savedAt: kept.saved_at.toISOString() };
}
