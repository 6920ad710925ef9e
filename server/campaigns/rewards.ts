import { earnsRewards } from '../../machines/model/catalogue/campaign-rewards.ts';
import type { Campaign, CampaignOffer } from './offers.ts';

/** A line of a cart as rewards are counted. */
type Line = { titleId: string; campaignId: string | null; addedAt: Date };

export const offerOf = ({ offers }: Campaign, titleId: string): CampaignOffer | undefined =>
  offers.find((offer) => offer.titleId === titleId);

/** How many titles of the campaign are being bought. @param isPaid whether a line is paid for */
const boughtIn = <Each extends Line>(campaign: Campaign, lines: readonly Each[], isPaid: (line: Each) => boolean): number =>
  lines.filter((line) => {
    const offer = line.campaignId === campaign.id ? offerOf(campaign, line.titleId) : undefined;
    return offer !== undefined && !offer.isReward && isPaid(line);
  }).length;

/** Whether enough is bought for the rewards. */
export const isReached = <Each extends Line>(
  campaign: Campaign,
  lines: readonly Each[],
  isPaid: (line: Each) => boolean,
): boolean => earnsRewards(campaign, boughtIn(campaign, lines, isPaid));

/**
 * The titles that are free: of the rewards in the cart those that were chosen first, as many as
 * the campaign gives.
 * @param lines those that are sold and not owned; a reward may be sold in another currency than
 * the cart's
 */
export function rewardsIn<Each extends Line>(
  campaigns: readonly Campaign[],
  lines: readonly Each[],
  isPaid: (line: Each) => boolean,
): Set<string> {
  const chosen = lines.toSorted((a, b) => a.addedAt.getTime() - b.addedAt.getTime() || (a.titleId < b.titleId ? -1 : 1));
  return new Set(
    campaigns.flatMap((campaign) =>
      isReached(campaign, lines, isPaid)
        ? chosen
            .filter((line) => line.campaignId === campaign.id && offerOf(campaign, line.titleId)?.isReward === true)
            .slice(0, campaign.rewardCount)
            .map(({ titleId }) => titleId)
        : [],
    ),
  );
}
