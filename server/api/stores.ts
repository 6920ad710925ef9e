import type { Database } from '../database/open.ts';
import type { Store } from '../store.ts';

const columns = ['id', 'currency', 'app_id', 'catalogue_version'] as const;

type Row = { id: string; currency: string; app_id: string; catalogue_version: number };

const storeOf = (row: Row): Store => ({
  id: row.id,
  currency: row.currency,
  appId: row.app_id,
  version: row.catalogue_version,
});

/** The store that a call names; undefined when there is none of that id. */
export async function findStore(db: Database, id: string): Promise<Store | undefined> {
  const row = await db.selectFrom('stores').select(columns).where('id', '=', id).executeTakeFirst();
  return row && storeOf(row);
}

/** The store whose pages are served at a host: the one that claims it, else the default one, else any. */
export async function findStoreByHost(db: Database, host: string): Promise<Store | undefined> {
  const row = await db
    .selectFrom('stores')
    .select(columns)
    .where((eb) => eb.or([eb('host', '=', host), eb('host', 'is', null), eb('is_default', '=', true)]))
    .orderBy((eb) => eb.case().when('host', '=', host).then(0).when('is_default', '=', true).then(1).else(2).end())
    .orderBy('id')
    .executeTakeFirst();
  return row && storeOf(row);
}
