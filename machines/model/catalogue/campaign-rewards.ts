/** The titles that a campaign asks for and gives; page and server count by the same rule. */
type Offer = { buyCount: number; rewardCount: number };

/** Titles to buy for the rewards. */
export const titlesToBuy = ({ buyCount }: Pick<Offer, 'buyCount'>): number => Math.max(1, buyCount);

/** Whether enough titles are bought for the rewards. @param bought those that are paid for */
export const earnsRewards = (offer: Offer, bought: number): boolean => offer.rewardCount > 0 && bought >= titlesToBuy(offer);
