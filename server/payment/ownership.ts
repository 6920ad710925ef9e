import type { Database } from '../database/open.ts';

/** The copy of a title that a customer may read now; the purchased one before any other. */
export async function ownedCopy(
  db: Database,
  owner: { storeId: string; userId: string; titleId: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('entitlements')
    .select('instance_id')
    .where('store_id', '=', owner.storeId)
    .where('user_id', '=', owner.userId)
    .where('title_id', '=', owner.titleId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', new Date())]))
    .orderBy((eb) => eb.case().when('source', '=', 'purchase').then(0).else(1).end())
    .orderBy('granted_at')
    .executeTakeFirst();
  return row?.instance_id;
}

/** The copy of each title that the customer may read now, as `ownedCopy` says which. */
export async function ownedCopies(
  db: Database,
  owner: { storeId: string; userId: string },
): Promise<{ title_id: string; instance_id: string }[]> {
  return db
    .selectFrom('entitlements')
    .distinctOn('title_id')
    .select(['title_id', 'instance_id'])
    .where('store_id', '=', owner.storeId)
    .where('user_id', '=', owner.userId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', new Date())]))
    .orderBy('title_id')
    .orderBy((eb) => eb.case().when('source', '=', 'purchase').then(0).else(1).end())
    .orderBy('granted_at')
    .execute();
}

type Grant = {
  storeId: string;
  userId: string;
  titleId: string;
  kind: 'payment' | 'free' | 'code' | 'credits';
  transactionId: string | null;
  amountMinor: number;
  currency: string | null;
  credits?: number;
};

/**
 * Books a purchase and grants its title, inside the caller's transaction. A title that was purchased before is granted
 * no second time. What is bought leaves the cart.
 * @returns the copy's id
 */
export async function grant(db: Database, id: string, purchase: Grant): Promise<string> {
  const owner = { store_id: purchase.storeId, user_id: purchase.userId, title_id: purchase.titleId };
  const source = purchase.kind === 'code' ? 'code' : 'purchase';
  await db
    .insertInto('purchases')
    .values({
      ...owner,
      id,
      kind: purchase.kind,
      transaction_id: purchase.transactionId,
      amount_minor: purchase.amountMinor,
      currency: purchase.currency,
      credits: purchase.credits ?? null,
    })
    .execute();
  await db
    .insertInto('entitlements')
    .values({ ...owner, source, instance_id: id, purchase_id: id, expires_at: null })
    .onConflict((conflict) => conflict.columns(['store_id', 'user_id', 'title_id', 'source']).doNothing())
    .execute();
  await db
    .deleteFrom('cart_lines')
    .where('store_id', '=', purchase.storeId)
    .where('user_id', '=', purchase.userId)
    .where('title_id', '=', purchase.titleId)
    .execute();
  const row = await db
    .selectFrom('entitlements')
    .select('instance_id')
    .where('store_id', '=', purchase.storeId)
    .where('user_id', '=', purchase.userId)
    .where('title_id', '=', purchase.titleId)
    .where('source', '=', source)
    .executeTakeFirstOrThrow();
  return row.instance_id;
}
