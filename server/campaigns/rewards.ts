import { earnsRewards } from '../../machines/model/catalogue/campaign-rewards.ts';
import type { Campaign, CampaignOffer } from './offers.ts';

/** The fields of a cart's line that count for rewards. */
type Line = { titleId: string; campaignId: string | null; addedAt: Date };

export const findOffer = ({ offers }: Campaign, titleId: string): CampaignOffer | undefined =>
  offers.find((offer) => offer.titleId === titleId);

/**
 * The number of the campaign's titles that are being bought.
 * @param isPaid whether a line is paid for
 */
const countBought = <Each extends Line>(campaign: Campaign, lines: readonly Each[], isPaid: (line: Each) => boolean): number =>
  lines.filter((line) => {
    const offer = line.campaignId === campaign.id ? findOffer(campaign, line.titleId) : undefined;
    return offer !== undefined && !offer.isReward && isPaid(line);
  }).length;

/** Whether the cart earns the campaign's rewards. */
export const hasEarnedRewards = <Each extends Line>(
  campaign: Campaign,
  lines: readonly Each[],
  isPaid: (line: Each) => boolean,
): boolean => earnsRewards(campaign, countBought(campaign, lines, isPaid));

/**
 * The ids of free titles: the rewards in the cart that were added first, as many as the campaign
 * grants.
 * @param lines for sale and not owned; a reward may be sold in another currency than the cart's
 */
export function findEarnedRewards<Each extends Line>(
  campaigns: readonly Campaign[],
  lines: readonly Each[],
  isPaid: (line: Each) => boolean,
): Set<string> {
  const chosen = lines.toSorted((a, b) => a.addedAt.getTime() - b.addedAt.getTime() || (a.titleId < b.titleId ? -1 : 1));
  return new Set(
    campaigns.flatMap((campaign) =>
      hasEarnedRewards(campaign, lines, isPaid)
        ? chosen
            .filter((line) => line.campaignId === campaign.id && findOffer(campaign, line.titleId)?.isReward === true)
            .slice(0, campaign.rewardCount)
            .map(({ titleId }) => titleId)
        : [],
    ),
  );
}
