import type { ExpressionBuilder, Insertable } from 'kysely';
import type { Database } from '../database/open.ts';
import type { PurchasesTable } from '../database/schema/payments.ts';
import type { Tables } from '../database/schema/tables.ts';
import { isOpenedNow } from './opened-titles.ts';
import { shopNow } from '../base/clock/time.ts';

type Owner = { storeId: string; userId: string };

/** Condition: the copy has not expired. */
const isUnexpired = (eb: ExpressionBuilder<Tables, 'entitlements'>) =>
  eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', shopNow())]);

/** Condition: the customer owns the copy independently of subscriptions. */
const isOwned = (eb: ExpressionBuilder<Tables, 'entitlements'>) => eb.and([isUnexpired(eb), eb('source', '<>', 'subscription')]);

/** Condition: the customer may read the copy now. */
export const isReadable = (eb: ExpressionBuilder<Tables, 'entitlements'>) =>
  eb.and([isUnexpired(eb), eb.or([eb('source', '<>', 'subscription'), isOpenedNow(eb)])]);

/** Selects the customer's best copy of each title: a purchased one first, a subscription's last. */
const selectBestCopies = (db: Database, { storeId, userId }: Owner) =>
  db
    .selectFrom('entitlements')
    .distinctOn('title_id')
    .select(['title_id', 'instance_id'])
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .orderBy('title_id')
    .orderBy((eb) => eb.case().when('source', '=', 'purchase').then(0).when('source', '=', 'subscription').then(2).else(1).end())
    .orderBy('granted_at');

const findInstanceId = async (copies: ReturnType<typeof selectBestCopies>, titleId: string): Promise<string | undefined> =>
  (await copies.where('title_id', '=', titleId).executeTakeFirst())?.instance_id;

/** Finds the id of the customer's own copy of a title. */
export const findOwnedCopy = (db: Database, { titleId, ...owner }: Owner & { titleId: string }): Promise<string | undefined> =>
  findInstanceId(selectBestCopies(db, owner).where(isOwned), titleId);

/** Reads the customer's own copy of each title. */
export const readOwnedCopies = (db: Database, owner: Owner): Promise<{ title_id: string; instance_id: string }[]> =>
  selectBestCopies(db, owner).where(isOwned).execute();

/** Finds the id of a copy that the customer may read now: their own, or their subscription's. */
export const findReadableCopy = (db: Database, { titleId, ...owner }: Owner & { titleId: string }): Promise<string | undefined> =>
  findInstanceId(selectBestCopies(db, owner).where(isReadable), titleId);

/** The columns of a purchase to book, without its owner, title and id. */
type NewPurchase = Omit<Insertable<PurchasesTable>, 'store_id' | 'id' | 'user_id' | 'title_id'>;

/**
 * Books a purchase and grants its title, in the caller's database transaction. A title that was
 * purchased before keeps its copy. The title is removed from the cart.
 * @returns the copy's id
 */
export async function grantTitle(
  db: Database,
  id: string,
  { storeId, userId, titleId }: Owner & { titleId: string },
  purchase: NewPurchase,
): Promise<string> {
  const owner = { store_id: storeId, user_id: userId, title_id: titleId };
  const source = purchase.kind === 'code' ? 'code' : 'purchase';
  await db
    .insertInto('purchases')
    .values({ ...owner, id, ...purchase })
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
 * Revokes a purchase, in the caller's database transaction. The customer keeps the copy if another
 * purchase of the same title is not refunded.
 * @param id of the purchase
 */
export async function revokeTitle(
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
  // The giver of a gift has no copy.
  if (kind === 'gift') return;
  const otherPurchase = await trx
    .selectFrom('purchases')
    .select('id')
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('title_id', '=', titleId)
    .where('kind', 'in', ['payment', 'free', 'credits'])
    .where('refunded_at', 'is', null)
    .orderBy('purchased_at')
    .executeTakeFirst();
  if (otherPurchase)
    await trx
      .updateTable('entitlements')
      .set({ purchase_id: otherPurchase.id })
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
