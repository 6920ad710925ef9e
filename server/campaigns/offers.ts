import type { Database } from '../database/open.ts';
import type { Translations } from '../base/language.ts';

/**
 * A title of a campaign: for sale, perhaps at a campaign price, or a reward. The amount is in the
 * smallest unit of its currency; `price` is null without a campaign price.
 */
export type CampaignOffer = { titleId: string; isReward: boolean; price: { amount: number; currency: string } | null };

/** A campaign: customers who buy `buyCount` of its titles get `rewardCount` rewards. */
export type Campaign = {
  id: string;
  name: string;
  translations: Translations<'name' | 'html'>;
  startsAt: Date | null;
  endsAt: Date | null;
  buyCount: number;
  rewardCount: number;
  offers: CampaignOffer[];
};

/** Returns the state of a campaign at a moment; at `endsAt` it is already over. */
export function getCampaignState(
  { startsAt, endsAt }: Pick<Campaign, 'startsAt' | 'endsAt'>,
  now: Date,
): 'notBegun' | 'running' | 'over' {
  if (endsAt !== null && endsAt <= now) return 'over';
  return startsAt !== null && startsAt > now ? 'notBegun' : 'running';
}

/** Reads a store's campaigns by their ids, with their offers in display order. */
export async function readCampaigns(db: Database, storeId: string, ids: readonly string[]): Promise<Campaign[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('campaigns')
    .leftJoin('campaign_titles', (join) =>
      join.onRef('campaign_titles.store_id', '=', 'campaigns.store_id').onRef('campaign_titles.campaign_id', '=', 'campaigns.id'),
    )
    .select([
      'campaigns.id',
      'campaigns.name',
      'campaigns.translations',
      'campaigns.starts_at',
      'campaigns.ends_at',
      'campaigns.buy_count',
      'campaigns.reward_count',
    ])
    .select(['campaign_titles.title_id', 'campaign_titles.is_reward', 'campaign_titles.amount_minor', 'campaign_titles.currency'])
    .where('campaigns.store_id', '=', storeId)
    .where('campaigns.id', 'in', ids)
    .orderBy('campaigns.id')
    .orderBy('campaign_titles.position')
    .orderBy('campaign_titles.title_id')
    .execute();
  return [...Map.groupBy(rows, ({ id }) => id)].flatMap(([id, campaignRows]) => {
    const [firstRow] = campaignRows;
    if (firstRow === undefined) return [];
    return {
      id,
      name: firstRow.name,
      translations: firstRow.translations,
      startsAt: firstRow.starts_at,
      endsAt: firstRow.ends_at,
      buyCount: firstRow.buy_count,
      rewardCount: firstRow.reward_count,
      offers: campaignRows.flatMap(({ title_id: titleId, is_reward: isReward, amount_minor: amount, currency }) => {
        if (titleId === null) return [];
        const price = amount === null || currency === null ? null : { amount, currency };
        return [{ titleId, isReward: isReward === true, price }];
      }),
    };
  });
}
