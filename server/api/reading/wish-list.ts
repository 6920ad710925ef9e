import { lockCustomer } from '../../kernel/lock-customer.ts';
import type { Database } from '../../database/open.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { realNow } from '../../base/clock/time.ts';

/** Maximum titles on a wish list. */
const MAX_WISHES = 500;

type Owner = { store_id: string; user_id: string };
type Change = CustomerCall<'changeWishList'>['body']['changes'][number];
type Wishes = Awaited<Answer<'wishList'>>;

const toOwner = ({ store, customer }: Pick<CustomerCall, 'store' | 'customer'>): Owner => ({
  store_id: store.id,
  user_id: customer.id,
});

/** Reads the saved titles, the latest first, without withdrawn titles. */
async function readWishes(db: Database, owner: Owner): Promise<Wishes> {
  const rows = await db
    .selectFrom('wishes')
    .innerJoin('titles', (join) =>
      join.onRef('titles.store_id', '=', 'wishes.store_id').onRef('titles.id', '=', 'wishes.title_id'),
    )
    .select(['wishes.title_id', 'wishes.saved_at'])
    .where('wishes.store_id', '=', owner.store_id)
    .where('wishes.user_id', '=', owner.user_id)
    .where('titles.offered', '=', true)
    .orderBy('wishes.saved_at', 'desc')
    .orderBy('wishes.title_id')
    .execute();
  return { titles: rows.map((row) => ({ titleId: row.title_id, savedAt: row.saved_at.toISOString() })) };
}

export async function wishList(call: CustomerCall<'wishList'>): Answer<'wishList'> {
  return readWishes(call.services.db, toOwner(call));
}

/** Returns the time at which a title was saved, by the browser's clock, but never in the future. */
const parseSavedAt = ({ savedAt: clientTime }: Change): Date => {
  const now = realNow();
  const savedAt = clientTime === undefined ? now : Date.parse(clientTime);
  return new Date(Number.isNaN(savedAt) ? now : Math.min(savedAt, now));
};

/** Adds new titles up to the maximum, the latest first; unknown titles are left out. */
async function saveWishes(db: Database, owner: Owner, changes: Change[]): Promise<void> {
  const savedWishes = await db
    .selectFrom('wishes')
    .select('title_id')
    .where('store_id', '=', owner.store_id)
    .where('user_id', '=', owner.user_id)
    .execute();
  const existingTitles = await db
    .selectFrom('titles')
    .select('id')
    .where('store_id', '=', owner.store_id)
    .where(
      'id',
      'in',
      changes.map(({ titleId }) => titleId),
    )
    .execute();
  const existingIds = new Set(existingTitles.map(({ id }) => id));
  const savedIds = new Set(savedWishes.map((row) => row.title_id));
  const rows = changes
    .filter(({ titleId }) => existingIds.has(titleId) && !savedIds.has(titleId))
    .map((change) => ({ ...owner, title_id: change.titleId, saved_at: parseSavedAt(change) }))
    .sort((a, b) => b.saved_at.getTime() - a.saved_at.getTime())
    .slice(0, Math.max(0, MAX_WISHES - savedWishes.length));
  if (rows.length > 0) await db.insertInto('wishes').values(rows).execute();
}

async function removeWishes(db: Database, owner: Owner, changes: Change[]): Promise<void> {
  const ids = changes.map(({ titleId }) => titleId);
  await db
    .deleteFrom('wishes')
    .where('store_id', '=', owner.store_id)
    .where('user_id', '=', owner.user_id)
    .where('title_id', 'in', ids)
    .execute();
}

/** Saves and removes titles; idempotent. */
export async function changeWishList(call: CustomerCall<'changeWishList'>): Answer<'changeWishList'> {
  const owner = toOwner(call);
  // Of two changes of a title, the later change counts.
  const changes = [...new Map(call.body.changes.map((change) => [change.titleId, change])).values()];
  const removals = changes.filter(({ isSaved }) => !isSaved);
  const additions = changes.filter(({ isSaved }) => isSaved);
  await call.services.db.transaction().execute(async (db) => {
    // Serialises concurrent tabs: both could find that one more title is allowed.
    await lockCustomer(db, owner.store_id, owner.user_id);
    if (removals.length > 0) await removeWishes(db, owner, removals);
    if (additions.length > 0) await saveWishes(db, owner, additions);
  });
  return readWishes(call.services.db, owner);
}
