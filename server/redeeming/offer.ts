import { summaryColumns, type TitleRow } from '../catalogue/title-rows.ts';
import type { Database } from '../database/open.ts';
import { readOwnedCopies } from '../entitlements/ownership.ts';
import { findActiveSubscription } from '../entitlements/subscription.ts';
import { alreadySubscribedError } from '../subscriptions/open.ts';
import { countNamedTitles } from '../entitlements/opened-titles.ts';
import type { OfferedPlan } from '../subscriptions/offered-plan.ts';
import { findRedemption, assertCodeUsable, readTitleIds, type Code } from '../codes/find-code.ts';

/** The benefit of a code for a customer or visitor. */
export type Offer = {
  code: Code;
  /**
   * the titles to choose from, or all titles of a bundle; after the redemption, the granted ones
   */
  titles: TitleRow[];
  /** ids of those titles that the customer already owns */
  ownedTitleIds: string[];
  /** undefined unless the code grants a subscription */
  plan: OfferedPlan | undefined;
  /** the customer has redeemed the code */
  isRedeemed: boolean;
  /** ids of the customer's copies of the granted titles, by title id */
  copies: Map<string, string>;
  /** id of the first of these copies */
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

/** Finds the id of the title that a redemption granted. */
async function findGrantedTitle(
  db: Database,
  storeId: string,
  purchaseId: string | null | undefined,
): Promise<string | undefined> {
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
 * Reads the benefit of a code, without redeeming it.
 * @param userId undefined for a visitor
 * @throws DomainError conflict code_withdrawn, code_used, code_expired, or already_subscribed for a
 * subscription
 */
export async function readOffer(db: Database, code: Code, userId: string | undefined): Promise<Offer> {
  const storeId = code.store_id;
  const redemption = userId === undefined ? undefined : await findRedemption(db, code, userId);
  if (!redemption) assertCodeUsable(code);
  const isBundle = code.kind === 'bundle';
  const grantedTitleId = isBundle ? undefined : await findGrantedTitle(db, storeId, redemption?.purchase_id);
  const ids = grantedTitleId === undefined ? await readTitleIds(db, code) : [grantedTitleId];
  const copies = userId === undefined ? [] : await readOwnedCopies(db, { storeId, userId });
  const isSubscribed = userId !== undefined && (await findActiveSubscription(db, { storeId, userId })) !== undefined;
  if (!redemption && code.kind === 'subscription' && isSubscribed) throw alreadySubscribedError();
  const grantedIds = redemption === undefined ? [] : isBundle ? ids : [grantedTitleId];
  const grantedCopies = new Map(
    copies.filter((copy) => grantedIds.includes(copy.title_id)).map((copy) => [copy.title_id, copy.instance_id]),
  );
  return {
    code,
    titles: await readTitles(db, storeId, ids),
    ownedTitleIds: copies.map((copy) => copy.title_id).filter((id) => ids.includes(id)),
    plan: await readPlan(db, code),
    isRedeemed: redemption !== undefined,
    copies: grantedCopies,
    instanceId: ids.flatMap((id) => grantedCopies.get(id) ?? [])[0],
  };
}
