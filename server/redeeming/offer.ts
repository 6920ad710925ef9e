import { summaryColumns, type TitleRow } from '../catalogue/title-rows.ts';
import type { Database } from '../database/open.ts';
import { readOwnedCopies } from '../entitlements/ownership.ts';
import { runningSubscription } from '../entitlements/held.ts';
import { alreadySubscribed } from '../subscriptions/open.ts';
import { countNamedTitles } from '../entitlements/opened-titles.ts';
import type { OfferedPlan } from '../subscriptions/offered-plan.ts';
import { findRedemption, assertCodeUsable, readTitleIds, type Code } from '../codes/find-code.ts';

/** The benefit of a code for a customer or visitor. */
export type Offer = {
  code: Code;
  /** The titles to choose from, or all of a bundle; after the redemption, the granted ones. */
  titles: TitleRow[];
  /** Ids of those titles that the customer already owns. */
  owned: string[];
  plan: OfferedPlan | undefined;
  /** The customer has redeemed the code. */
  isRedeemed: boolean;
  /** The customer's copies of the granted titles, by title id; `instanceId` is the first copy. */
  copies: Map<string, string>;
  instanceId: string | undefined;
};

async function readTitles(db: Database, storeId: string, ids: string[]): Promise<TitleRow[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('titles')
    .select(summaryColumns)
    .where('titles.store_id', '=', storeId)
    .where('titles.id', 'in', ids)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, { ...row, prices: row.prices ?? [] }]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const readPlan = async (db: Database, { store_id, plan_id }: Code): Promise<OfferedPlan | undefined> =>
  plan_id === null
    ? undefined
    : db
        .selectFrom('plans')
        .selectAll()
        .select(countNamedTitles)
        .where('store_id', '=', store_id)
        .where('id', '=', plan_id)
        .executeTakeFirst();

/** The title that a redemption granted. */
async function findGivenTitle(db: Database, storeId: string, purchaseId: string | null | undefined): Promise<string | undefined> {
  if (!purchaseId) return undefined;
  const row = await db
    .selectFrom('purchases')
    .select('title_id')
    .where('store_id', '=', storeId)
    .where('id', '=', purchaseId)
    .executeTakeFirst();
  return row?.title_id ?? undefined;
}

/**
 * Reads what a code gives, without redeeming it.
 * @param userId undefined for a visitor
 * @throws DomainError conflict code_withdrawn, code_used, code_expired, or already_subscribed for a
 * subscription
 */
export async function readOffer(db: Database, code: Code, userId: string | undefined): Promise<Offer> {
  const storeId = code.store_id;
  const use = userId === undefined ? undefined : await findRedemption(db, code, userId);
  if (!use) assertCodeUsable(code);
  const isBundle = code.kind === 'bundle';
  const given = isBundle ? undefined : await findGivenTitle(db, storeId, use?.purchase_id);
  const ids = given === undefined ? await readTitleIds(db, code) : [given];
  const copies = userId === undefined ? [] : await readOwnedCopies(db, { storeId, userId });
  const isRunning = userId !== undefined && (await runningSubscription(db, { storeId, userId })) !== undefined;
  if (!use && code.kind === 'subscription' && isRunning) throw alreadySubscribed();
  const gave = use === undefined ? [] : isBundle ? ids : [given];
  const own = new Map(copies.filter((copy) => gave.includes(copy.title_id)).map((copy) => [copy.title_id, copy.instance_id]));
  return {
    code,
    titles: await readTitles(db, storeId, ids),
    owned: copies.map((copy) => copy.title_id).filter((id) => ids.includes(id)),
    plan: await readPlan(db, code),
    isRedeemed: use !== undefined,
    copies: own,
    instanceId: ids.flatMap((id) => own.get(id) ?? [])[0],
  };
}
