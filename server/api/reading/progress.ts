import { sql, type ExpressionBuilder, type Selectable } from 'kysely';
import { lockCustomer } from '../../kernel/lock-customer.ts';
import type { Database } from '../../database/open.ts';
import type { Tables } from '../../database/schema/tables.ts';
import { findReadableCopy } from '../../entitlements/ownership.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import type { Store } from '../../stores/stores.ts';
import { limitCustomer } from '../calls/limits.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';
import { shopNow } from '../../base/clock/time.ts';

type Progress = Awaited<Answer<'viewerProgress'>>;
type Position = NonNullable<Progress['position']>;
type Device = NonNullable<Progress['device']>;

/** The key of a stored position. */
type Key = { store_id: string; user_id: string; title_id: string; context_key: string };
type ProgressRow = { position: string; saved_at: Date; device_id: string | null; device_name: string | null };
type PositionRequest = { store: Store; customer: { id: string }; query: { titleid: string; contextkey: string } };

const toKey = ({ store, customer, query }: PositionRequest): Key => ({
  store_id: store.id,
  user_id: customer.id,
  title_id: query.titleid,
  context_key: query.contextkey,
});

const columns = ['position', 'saved_at', 'version', 'device_id', 'device_name', 'earlier'] as const;
type Row = Pick<Selectable<Tables['progress']>, (typeof columns)[number]>;

const toDevice = ({ device_id: id, device_name: name }: Pick<Row, 'device_id' | 'device_name'>): Device | null =>
  id === null ? null : { id, name: name ?? '' };

/** Converts a row to its wire format; its JSON was validated when it was saved. */
const toProgress = (row: Row): Progress => ({
  position: row.position as Position,
  savedAt: row.saved_at.toISOString(),
  version: row.version,
  device: toDevice(row),
  earlier: row.earlier as NonNullable<Progress['earlier']>,
});

/** Returns the customer's reading position; null if none was saved. */
export async function viewerProgress(call: CustomerCall<'viewerProgress'>): Answer<'viewerProgress'> {
  const key = toKey(call);
  const row = await call.services.db
    .selectFrom('progress')
    .select(columns)
    .where((eb) => eb.and(key))
    .executeTakeFirst();
  return row ? toProgress(row) : { position: null, savedAt: null, version: 0, device: null, earlier: [] };
}

/** Maximum number of earlier positions that are stored. */
const MAX_EARLIER_POSITIONS = 4;

/**
 * Minutes within which a new position of the same device replaces the previous position, unless the
 * new one is a long jump away.
 */
const SITTING_MINUTES = 30;
/** Maximum jump, as a share of the title (0 to 1): a longer jump may be a mistake. */
const JUMP_SHARE = 0.1;

/**
 * Returns the SQL of the earlier positions after another position is saved: the current position is
 * added after a long jump, after a break, or if another device saves.
 */
const updateEarlierPositions = ({ position, saved_at, device_id }: ProgressRow) => sql<string>`
  case when device_id is not distinct from ${device_id}
    and saved_at > ${saved_at}::timestamptz - make_interval(mins => ${SITTING_MINUTES})
    and abs((position ->> 'totalProgression')::float8 - (${position}::jsonb ->> 'totalProgression')::float8) <= ${JUMP_SHARE}
  then earlier
  else jsonb_path_query_array(
    jsonb_build_array(jsonb_build_object(
      'position', position,
      'savedAt', to_char(saved_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'device', case when device_id is null then null else jsonb_build_object('id', device_id, 'name', coalesce(device_name, '')) end
    )) || earlier,
    ${sql.lit(`$[0 to ${MAX_EARLIER_POSITIONS - 1}]`)})
  end`;

/**
 * Replaces a stored position.
 * @returns the new row; undefined if no position is stored, or another device has saved since the
 * version `basedOn`
 */
const replacePosition = (
  db: Database,
  key: Key,
  newPosition: ProgressRow,
  basedOn: number | undefined,
): Promise<Row | undefined> =>
  db
    .updateTable('progress')
    .set((eb) => ({ ...newPosition, version: eb('version', '+', 1), earlier: updateEarlierPositions(newPosition) }))
    .where((eb) => eb.and(key))
    .$if(basedOn !== undefined, (query) =>
      query.where((eb) => eb.or([eb('version', '<=', basedOn ?? 0), eb('device_id', '=', newPosition.device_id)])),
    )
    .returning(columns)
    .executeTakeFirst();

/**
 * Maximum positions per customer and title, one for each context key: enough for each medium and a
 * sample. A further position replaces the oldest one.
 */
const MAX_CONTEXTS = 10;

/**
 * Stores the first position under a context key; undefined if a concurrent call has stored one.
 */
async function addContext(db: Database, key: Key, newPosition: ProgressRow): Promise<Row | undefined> {
  const { store_id, user_id, title_id } = key;
  return db.transaction().execute(async (trx) => {
    // Devices that save concurrently must not delete the same rows in different sequences
    // (deadlock).
    await lockCustomer(trx, store_id, user_id);
    const insertedRow = await trx
      .insertInto('progress')
      .values({ ...key, ...newPosition })
      .onConflict((conflict) => conflict.doNothing())
      .returning(columns)
      .executeTakeFirst();
    const isOfTitle = (eb: ExpressionBuilder<Tables, 'progress'>) => eb.and({ store_id, user_id, title_id });
    const latestKeys = trx
      .selectFrom('progress')
      .select('context_key')
      .where(isOfTitle)
      .orderBy('saved_at', 'desc')
      .limit(MAX_CONTEXTS);
    await trx.deleteFrom('progress').where(isOfTitle).where('context_key', 'not in', latestKeys).execute();
    return insertedRow;
  });
}

const hasPosition = async (db: Database, key: Key): Promise<boolean> =>
  (await db
    .selectFrom('progress')
    .select('version')
    .where((eb) => eb.and(key))
    .executeTakeFirst()) !== undefined;

const newerPositionError = (): DomainError =>
  new DomainError('conflict', 'Another device has saved a place since.', { code: 'place_newer' });

/**
 * Saves the customer's position in a title that they may read, or that has a sample.
 * @throws DomainError not_found; conflict `place_newer`; too_many_requests after too many new
 * context keys
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
  if (!title || !(title.has_sample || (await findReadableCopy(services.db, owner)))) throw notFound('title');
  const key = toKey(call);
  const { position, basedOn, device } = body;
  const newPosition: ProgressRow = {
    position: JSON.stringify(position),
    saved_at: shopNow(),
    device_id: device?.id ?? null,
    device_name: device?.name ?? null,
  };
  const replacedRow = await replacePosition(services.db, key, newPosition, basedOn);
  if (replacedRow) return toProgress(replacedRow);
  if (await hasPosition(services.db, key)) throw newerPositionError();
  await limitCustomer(call, 'progress-context');
  // Of two concurrent first saves, the second replaces the first, if `basedOn` allows that.
  const storedRow =
    (await addContext(services.db, key, newPosition)) ?? (await replacePosition(services.db, key, newPosition, basedOn));
  if (!storedRow) throw newerPositionError();
  return toProgress(storedRow);
}
