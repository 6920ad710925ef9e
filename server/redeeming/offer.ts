import { summaryColumns, type TitleRow } from '../catalogue/title-rows.ts';
import type { Database } from '../database/open.ts';
import { ownedCopies } from '../entitlements/ownership.ts';
import { runningSubscription } from '../entitlements/held.ts';
import { alreadySubscribed } from '../subscriptions/open.ts';
import { titlesNamed } from '../entitlements/opened-titles.ts';
import type { PlanOffered } from '../subscriptions/offered-plan.ts';
import { redemptionOf, refuseOver, titleIdsOf, type Code } from '../codes/find-code.ts';

/** What a code gives to somebody. */
export type Offer = {
  code: Code;
  /** Of these it gives one, a bundle all; once it is used, what it gave. */
  titles: TitleRow[];
  /** Of these, those that the customer has already, by their ids. */
  owned: string[];
  plan: PlanOffered | undefined;
  /** The customer has used it. */
  isRedeemed: boolean;
  /** The customer's copies of what it gave, and the first of them. */
  copies: Map<string, string>;
  instanceId: string | undefined;
};

async function titlesOf(db: Database, storeId: string, ids: string[]): Promise<TitleRow[]> {
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

const planOf = async (db: Database, { store_id, plan_id }: Code): Promise<PlanOffered | undefined> =>
  plan_id === null
    ? undefined
    : db
        .selectFrom('plans')
        .selectAll()
        .select(titlesNamed)
        .where('store_id', '=', store_id)
        .where('id', '=', plan_id)
        .executeTakeFirst();

/** The title that a use of a code has given. */
async function titleGiven(db: Database, storeId: string, purchaseId: string | null | undefined): Promise<string | undefined> {
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
 * What a code gives; uses nothing up.
 * @param userId undefined for a visitor
 * @throws DomainError conflict code_used, code_expired, or already_subscribed for a subscription
 */
export async function offerOf(db: Database, code: Code, userId: string | undefined): Promise<Offer> {
  const storeId = code.store_id;
  const use = userId === undefined ? undefined : await redemptionOf(db, code, userId);
  if (!use) refuseOver(code);
  const isBundle = code.kind === 'bundle';
  const given = isBundle ? undefined : await titleGiven(db, storeId, use?.purchase_id);
  const ids = given === undefined ? await titleIdsOf(db, code) : [given];
  const copies = userId === undefined ? [] : await ownedCopies(db, { storeId, userId });
  const isRunning = userId !== undefined && (await runningSubscription(db, { storeId, userId })) !== undefined;
  if (!use && code.kind === 'subscription' && isRunning) throw alreadySubscribed();
  const gave = use === undefined ? [] : isBundle ? ids : [given];
  const own = new Map(copies.filter((copy) => gave.includes(copy.title_id)).map((copy) => [copy.title_id, copy.instance_id]));
  return {
    code,
    titles: await titlesOf(db, storeId, ids),
    owned: copies.map((copy) => copy.title_id).filter((id) => ids.includes(id)),
    plan: await planOf(db, code),
    isRedeemed: use !== undefined,
    copies: own,
    instanceId: ids.flatMap((id) => own.get(id) ?? [])[0],
  };
}
