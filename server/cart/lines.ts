import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import { shopNow } from '../base/clock/time.ts';

/** Titles that a cart may hold: as many as one call gives by their ids. */
const MOST_LINES = 50;

export type Owner = { store_id: string; user_id: string };

export type NewLine = { titleId: string; campaignId: string | null; addedAt: Date };

const keepCampaign = (trx: Database, owner: Owner, titleId: string, campaignId: string): Promise<unknown> =>
  trx
    .updateTable('cart_lines')
    .set({ campaign_id: campaignId })
    .where('store_id', '=', owner.store_id)
    .where('user_id', '=', owner.user_id)
    .where('title_id', '=', titleId)
    .execute();

/**
 * Puts a title into the cart; one that is there already stays as it is, and belongs to the campaign that it is taken from.
 * @throws DomainError conflict cart_full
 */
export async function putIn(db: Database, owner: Owner, { titleId, campaignId, addedAt }: NewLine): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Two tabs shall not both find the last place free.
    await lockCustomer(trx, owner.store_id, owner.user_id);
    const held = await trx
      .selectFrom('cart_lines')
      .select('title_id')
      .where('store_id', '=', owner.store_id)
      .where('user_id', '=', owner.user_id)
      .execute();
    if (held.some((line) => line.title_id === titleId)) {
      if (campaignId !== null) await keepCampaign(trx, owner, titleId, campaignId);
      return;
    }
    if (held.length >= MOST_LINES) throw new DomainError('conflict', 'The cart is full.', { code: 'cart_full' });
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

/** Takes out the title, or what came from the campaign, or the one of both; done twice it is the same as done once. */
export async function takeOut(
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
