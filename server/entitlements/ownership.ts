import type { ExpressionBuilder, Insertable } from 'kysely';
import type { Database } from '../database/open.ts';
import type { PurchasesTable } from '../database/schema/payments.ts';
import type { Tables } from '../database/schema/tables.ts';
import { isOpenedNow } from './opened-titles.ts';
import { shopNow } from '../base/clock/time.ts';

type Owner = { storeId: string; userId: string };

const isUnexpired = (eb: ExpressionBuilder<Tables, 'entitlements'>) =>
  eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', shopNow())]);

/** True of a copy that its customer keeps, whatever they are subscribed to. */
const isKept = (eb: ExpressionBuilder<Tables, 'entitlements'>) => eb.and([isUnexpired(eb), eb('source', '<>', 'subscription')]);

/** True of a copy that its customer may read now. */
export const isReadable = (eb: ExpressionBuilder<Tables, 'entitlements'>) =>
  eb.and([isUnexpired(eb), eb.or([eb('source', '<>', 'subscription'), isOpenedNow(eb)])]);

/** The purchased copy before any other, that of a subscription last. */
const bestCopies = (db: Database, { storeId, userId }: Owner) =>
  db
    .selectFrom('entitlements')
    .distinctOn('title_id')
    .select(['title_id', 'instance_id'])
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .orderBy('title_id')
    .orderBy((eb) => eb.case().when('source', '=', 'purchase').then(0).when('source', '=', 'subscription').then(2).else(1).end())
    .orderBy('granted_at');

const copyOf = async (copies: ReturnType<typeof bestCopies>, titleId: string): Promise<string | undefined> =>
  (await copies.where('title_id', '=', titleId).executeTakeFirst())?.instance_id;

/** The customer's own copy of a title. */
export const ownedCopy = (db: Database, { titleId, ...owner }: Owner & { titleId: string }): Promise<string | undefined> =>
  copyOf(bestCopies(db, owner).where(isKept), titleId);

/** Their own copy of each title that they have. */
export const ownedCopies = (db: Database, owner: Owner): Promise<{ title_id: string; instance_id: string }[]> =>
  bestCopies(db, owner).where(isKept).execute();

/** The copy of a title that the customer may read now: their own, or that of a subscription which opens it. */
export const readableCopy = (db: Database, { titleId, ...owner }: Owner & { titleId: string }): Promise<string | undefined> =>
  copyOf(bestCopies(db, owner).where(isReadable), titleId);

/** A purchase as it is booked, without its owner. */
type Booked = Omit<Insertable<PurchasesTable>, 'store_id' | 'id' | 'user_id' | 'title_id'>;

/**
 * Books a purchase and grants its title, inside the caller's transaction. A title that was purchased before is granted
 * no second time. What is bought leaves the cart.
 * @returns the copy's id
 */
export async function grant(
  db: Database,
  id: string,
  { storeId, userId, titleId }: Owner & { titleId: string },
  booked: Booked,
): Promise<string> {
  const owner = { store_id: storeId, user_id: userId, title_id: titleId };
  const source = booked.kind === 'code' ? 'code' : 'purchase';
  await db
    .insertInto('purchases')
    .values({ ...owner, id, ...booked })
    .execute();
  await db
    .insertInto('entitlements')
    .values({ ...owner, source, instance_id: id, purchase_id: id, expires_at: null })
    .onConflict((conflict) => conflict.columns(['store_id', 'user_id', 'title_id', 'source']).doNothing())
    .execute();
  await db
    .deleteFrom('cart_lines')
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('title_id', '=', titleId)
    .execute();
  const row = await db
    .selectFrom('entitlements')
    .select('instance_id')
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('title_id', '=', titleId)
    .where('source', '=', source)
    .executeTakeFirstOrThrow();
  return row.instance_id;
}

/**
 * Takes back what a purchase has granted, inside the caller's transaction. The customer keeps their copy where another purchase of the
 * same title was not given back.
 */
export async function takeBack(
  trx: Database,
  { storeId, userId, titleId }: Owner & { titleId: string },
  id: string,
): Promise<void> {
  const { kind } = await trx
    .updateTable('purchases')
    .set({ refunded_at: shopNow() })
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .returning('kind')
    .executeTakeFirstOrThrow();
  // Its giver got no copy.
  if (kind === 'gift') return;
  const kept = await trx
    .selectFrom('purchases')
    .select('id')
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('title_id', '=', titleId)
    .where('kind', 'in', ['payment', 'free', 'credits'])
    .where('refunded_at', 'is', null)
    .orderBy('purchased_at')
    .executeTakeFirst();
  if (kept)
    await trx
      .updateTable('entitlements')
      .set({ purchase_id: kept.id })
      .where('store_id', '=', storeId)
      .where('user_id', '=', userId)
      .where('title_id', '=', titleId)
      .where('source', '=', 'purchase')
      .execute();
  else
    await trx
      .deleteFrom('entitlements')
      .where('store_id', '=', storeId)
      .where('user_id', '=', userId)
      .where('title_id', '=', titleId)
      .where('source', '=', 'purchase')
      .execute();
}
