import { earnsRewards, titlesToBuy } from './campaign-rewards.ts';
import type { Price, TitleSummary } from './title.ts';

/** A title of a campaign; `price` is what it costs in it, null where that is as always. */
export type CampaignTitle = { title: TitleSummary; isReward: boolean; price: Price | null };

/** Where a campaign stands: its time has not come, it runs, or it is over. */
export type CampaignState = 'notBegun' | 'running' | 'over';

/** Titles that a store sells together for a time: so many of them bought, so many of its rewards come for nothing. Dates are ISO 8601, empty for none. */
export type Campaign = {
  id: string;
  /** empty where the server gives none */
  name: string;
  /** its terms, untrusted */
  html: string;
  state: CampaignState;
  startsAt: string;
  endsAt: string;
  buyCount: number;
  rewardCount: number;
  titles: CampaignTitle[];
};

/**
 * A title of a campaign in the customer's cart; `isReward` where it is a free reward. `unpaid` is
 * the reason why it is not paid for and does not count towards the rewards.
 */
export type CampaignLine = { titleId: string; isReward: boolean; unpaid?: 'owned' | 'notSold' };

/** How far a customer has come: titles bought of those that it takes, and rewards chosen of those that it gives. */
export type CampaignProgress = { bought: number; toBuy: number; chosen: number; toChoose: number; isReached: boolean };

export const progressOf = (campaign: Campaign, lines: readonly CampaignLine[]): CampaignProgress => {
  const { titles, rewardCount } = campaign;
  const rewards = new Set(titles.filter(({ isReward }) => isReward).map(({ title }) => title.id));
  const bought = lines.filter(({ titleId, unpaid }) => unpaid === undefined && !rewards.has(titleId)).length;
  const chosen = lines.filter(({ isReward }) => isReward).length;
  return {
    bought,
    toBuy: titlesToBuy(campaign),
    chosen,
    toChoose: rewardCount,
    isReached: earnsRewards(campaign, bought),
  };
};
