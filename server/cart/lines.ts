import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import { shopNow } from '../base/clock/time.ts';

/** Maximum titles in a cart: the maximum number of ids in one API call. */
const MAX_LINES = 50;

export type Owner = { store_id: string; user_id: string };

/** A title to add; `campaignId` is null outside a campaign. */
export type NewLine = { titleId: string; campaignId: string | null; addedAt: Date };

const setLineCampaign = (trx: Database, owner: Owner, titleId: string, campaignId: string): Promise<unknown> =>
  trx
    .updateTable('cart_lines')
    .set({ campaign_id: campaignId })
    .where('store_id', '=', owner.store_id)
    .where('user_id', '=', owner.user_id)
    .where('title_id', '=', titleId)
    .execute();

/**
 * Adds a title to the cart. A title that is already in the cart stays unchanged, except for its new
 * campaign.
 * @throws DomainError conflict cart_full
 */
export async function addCartLine(db: Database, owner: Owner, { titleId, campaignId, addedAt }: NewLine): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Serialises concurrent tabs: both could find that one more line is allowed.
    await lockCustomer(trx, owner.store_id, owner.user_id);
    const storedLines = await trx
      .selectFrom('cart_lines')
      .select('title_id')
      .where('store_id', '=', owner.store_id)
      .where('user_id', '=', owner.user_id)
      .execute();
    if (storedLines.some((line) => line.title_id === titleId)) {
      if (campaignId !== null) await setLineCampaign(trx, owner, titleId, campaignId);
      return;
    }
    if (storedLines.length >= MAX_LINES) throw new DomainError('conflict', 'The cart is full.', { code: 'cart_full' });
    await trx
      .insertInto('carts')
      .values({ ...owner, code: null })
      .onConflict((conflict) => conflict.columns(['store_id', 'user_id']).doUpdateSet({ updated_at: shopNow() }))
      .execute();
    await trx
      .insertInto('cart_lines')
      .values({ ...owner, title_id: titleId, campaign_id: campaignId, added_at: addedAt })
      .execute();
  });
}

/** Removes a title, all lines of a campaign, or the line with both; idempotent. */
export async function removeCartLines(
  db: Database,
  owner: Owner,
  { titleId, campaignId }: { titleId?: string | undefined; campaignId?: string | undefined },
): Promise<void> {
  await db
    .deleteFrom('cart_lines')
    .where('store_id', '=', owner.store_id)
    .where('user_id', '=', owner.user_id)
    .$if(titleId !== undefined, (query) => query.where('title_id', '=', titleId ?? ''))
    .$if(campaignId !== undefined, (query) => query.where('campaign_id', '=', campaignId ?? ''))
    .execute();
}
