/** The number of titles to buy and of free rewards; page and server share the rules for them. */
type RewardTerms = { buyCount: number; rewardCount: number };

/** The number of titles to buy for the rewards. */
export const countTitlesToBuy = ({ buyCount }: Pick<RewardTerms, 'buyCount'>): number => Math.max(1, buyCount);

/** Whether enough titles are paid for to earn the rewards. */
export const earnsRewards = (offer: RewardTerms, paidCount: number): boolean =>
  offer.rewardCount > 0 && paidCount >= countTitlesToBuy(offer);
