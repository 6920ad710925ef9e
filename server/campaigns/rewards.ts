import { earnsRewards } from '../../machines/model/catalogue/campaign-rewards.ts';
import type { Campaign, CampaignOffer } from './offers.ts';

/** The fields of a cart's line that count for rewards. */
type RewardLine = { titleId: string; campaignId: string | null; addedAt: Date };

export const findOffer = ({ offers }: Campaign, titleId: string): CampaignOffer | undefined =>
  offers.find((offer) => offer.titleId === titleId);

/**
 * Counts the campaign's titles that the customer pays for.
 * @param isPaid whether a line is paid for
 */
const countBought = <Each extends RewardLine>(
  campaign: Campaign,
  lines: readonly Each[],
  isPaid: (line: Each) => boolean,
): number =>
  lines.filter((line) => {
    const offer = line.campaignId === campaign.id ? findOffer(campaign, line.titleId) : undefined;
    return offer !== undefined && !offer.isReward && isPaid(line);
  }).length;

/** Whether the cart earns the campaign's rewards. */
export const hasEarnedRewards = <Each extends RewardLine>(
  campaign: Campaign,
  lines: readonly Each[],
  isPaid: (line: Each) => boolean,
): boolean => earnsRewards(campaign, countBought(campaign, lines, isPaid));

/**
 * Returns the ids of the free titles: of each campaign, the rewards that were added to the cart
 * first, up to the number that the campaign grants.
 * @param lines for sale and not owned; a reward may be sold in another currency than the cart's
 */
export function findEarnedRewards<Each extends RewardLine>(
  campaigns: readonly Campaign[],
  lines: readonly Each[],
  isPaid: (line: Each) => boolean,
): Set<string> {
  const linesByAge = lines.toSorted((a, b) => a.addedAt.getTime() - b.addedAt.getTime() || (a.titleId < b.titleId ? -1 : 1));
  return new Set(
    campaigns.flatMap((campaign) =>
      hasEarnedRewards(campaign, lines, isPaid)
        ? linesByAge
            .filter((line) => line.campaignId === campaign.id && findOffer(campaign, line.titleId)?.isReward === true)
            .slice(0, campaign.rewardCount)
            .map(({ titleId }) => titleId)
        : [],
    ),
  );
}
