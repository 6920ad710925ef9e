import { earnsRewards, countTitlesToBuy } from './campaign-rewards.ts';
import type { Price, TitleSummary } from './title.ts';

/** A title of a campaign; `price` is its price in the campaign, null if unchanged. */
export type CampaignTitle = { title: TitleSummary; isReward: boolean; price: Price | null };

/** Whether a campaign has not started, is running, or is over. */
export type CampaignState = 'notBegun' | 'running' | 'over';

/**
 * A limited-time offer of a store: a number of bought titles earns a number of free rewards. Dates
 * are ISO 8601, or empty.
 */
export type Campaign = {
  id: string;
  /** Empty if the server sends no name. */
  name: string;
  /** The campaign's terms; untrusted HTML. */
  html: string;
  state: CampaignState;
  startsAt: string;
  endsAt: string;
  buyCount: number;
  rewardCount: number;
  titles: CampaignTitle[];
};

/**
 * A title of a campaign in the customer's cart; `isReward` if it is a free reward. `unpaid` is the
 * reason why it is not paid for and does not count towards the rewards.
 */
export type CampaignLine = { titleId: string; isReward: boolean; unpaid?: 'owned' | 'notSold' };

/**
 * The customer's progress: the numbers of bought and required titles (`toBuy`), and of chosen and
 * available rewards (`toChoose`).
 */
export type CampaignProgress = { bought: number; toBuy: number; chosen: number; toChoose: number; isReached: boolean };

export const getCampaignProgress = (campaign: Campaign, lines: readonly CampaignLine[]): CampaignProgress => {
  const { titles, rewardCount } = campaign;
  const rewards = new Set(titles.filter(({ isReward }) => isReward).map(({ title }) => title.id));
  const boughtCount = lines.filter(({ titleId, unpaid }) => unpaid === undefined && !rewards.has(titleId)).length;
  const chosenCount = lines.filter(({ isReward }) => isReward).length;
  return {
    bought: boughtCount,
    toBuy: countTitlesToBuy(campaign),
    chosen: chosenCount,
    toChoose: rewardCount,
    isReached: earnsRewards(campaign, boughtCount),
  };
};
