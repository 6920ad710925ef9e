import type { Database } from '../database/open.ts';
import type { Translations } from '../base/language.ts';

/**
 * A title of a campaign: for sale, perhaps at a campaign price, or a reward. Amounts in the
 * smallest unit.
 */
export type CampaignOffer = { titleId: string; isReward: boolean; price: { amount: number; currency: string } | null };

/** Customers who buy `buyCount` titles get `rewardCount` rewards. */
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

/** State of a campaign at a moment; `endsAt` itself is already over. */
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
  return [...Map.groupBy(rows, ({ id }) => id)].flatMap(([id, own]) => {
    const [first] = own;
    if (first === undefined) return [];
    return {
      id,
      name: first.name,
      translations: first.translations,
      startsAt: first.starts_at,
      endsAt: first.ends_at,
      buyCount: first.buy_count,
      rewardCount: first.reward_count,
      offers: own.flatMap(({ title_id: titleId, is_reward: isReward, amount_minor: amount, currency }) => {
        if (titleId === null) return [];
        const price = amount === null || currency === null ? null : { amount, currency };
        return [{ titleId, isReward: isReward === true, price }];
      }),
    };
  });
}
