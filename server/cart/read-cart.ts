import { type Campaign, type CampaignOffer, campaignState, readCampaigns } from '../campaigns/offers.ts';
import { offerOf, rewardsIn } from '../campaigns/rewards.ts';
import { codeMisfit } from '../codes/find-code.ts';
import { amountOff, type CartDiscount } from '../codes/payment-code.ts';
import type { TitleRow } from '../catalogue/title-rows.ts';
import { summaryColumns } from '../catalogue/title-rows.ts';
import type { Database } from '../database/open.ts';
import { ownedCopies } from '../entitlements/ownership.ts';
import type { OrderLine } from '../payment/order.ts';
import type { Owner } from './lines.ts';
import { shopNow } from '../base/clock/time.ts';

/** A title in the cart; `title` is null where the shop does not have it any more. */
type CartLine = {
  titleId: string;
  name: string;
  addedAt: Date;
  isOwned: boolean;
  title: TitleRow | null;
  /** the running campaign that it was put into the cart from */
  campaignId: string | null;
  campaign: Pick<Campaign, 'name' | 'translations'> | null;
  /** It comes for nothing with what is paid for. */
  isReward: boolean;
  /** what it costs without the code that makes it cheaper; null where none does */
  usual: Price[] | null;
};

/** What is in a cart, the latest first, and which of it can be paid for together in one currency, at today's prices. */
export type Cart = { lines: CartLine[]; payable: OrderLine[]; currency: string | null };

type Price = TitleRow['prices'][number];

/** A title that is sold here for money, and is not the customer's yet. */
const isSold = ({ isOwned, title }: CartLine): boolean =>
  !isOwned && title !== null && title.for_sale && (title.prices[0]?.amount ?? 0) > 0;

/** The title at the price of its campaign, in the currency of that; a title that costs nothing is none to be bought. */
function atCampaignPrice(title: TitleRow, offer: CampaignOffer | undefined): TitleRow {
  const { price = null, isReward = false } = offer ?? {};
  if (price === null || isReward || price.amount === 0) return title;
  return {
    ...title,
    prices: title.prices.map((each) => (each.currency === price.currency ? { ...each, amount: price.amount } : each)),
  };
}

/** A line at what a discount leaves of its price; what comes for nothing stays so. */
function atDiscount<Each extends Pick<CartLine, 'titleId' | 'title' | 'isReward'>>(
  line: Each,
  { percentOff, titleId }: Pick<CartDiscount, 'percentOff' | 'titleId'>,
): Each & Pick<CartLine, 'usual'> {
  const { title } = line;
  const isMeant = titleId === null || titleId === line.titleId;
  if (title === null || line.isReward || !isMeant) return { ...line, usual: null };
  const prices = title.prices.map((price) => ({ ...price, amount: price.amount - amountOff(price.amount, percentOff) }));
  return { ...line, title: { ...title, prices }, usual: title.prices };
}

const priceIn = ({ title }: CartLine, currency: string | null): Price | undefined =>
  title?.prices.find((price) => price.currency === currency && price.amount > 0);

/**
 * Reads a customer's cart and computes its price. Titles that are owned, free, not for sale or
 * gone are not paid for, nor are those without a price in the currency of the rest. Campaigns
 * that run make titles cheaper, or give them as rewards, in any currency that these are sold in;
 * of any other campaign the cart knows nothing.
 * @param wanted the currency; without one it is the one in which the latest title is sold that is
 * no reward of its campaign, so that choosing a reward leaves the titles that earn it paid for
 * @param discount comes off what the titles cost in their campaigns
 */
export async function readCart(
  db: Database,
  owner: Owner,
  { wanted, discount, now = shopNow() }: { wanted?: string | undefined; discount?: CartDiscount | undefined; now?: Date } = {},
): Promise<Cart> {
  const rows = await db
    .selectFrom('cart_lines')
    .innerJoin('titles', (join) =>
      join.onRef('titles.store_id', '=', 'cart_lines.store_id').onRef('titles.id', '=', 'cart_lines.title_id'),
    )
    .select((eb) => summaryColumns(eb as never))
    .select(['titles.offered', 'cart_lines.added_at', 'cart_lines.campaign_id'])
    .where('cart_lines.store_id', '=', owner.store_id)
    .where('cart_lines.user_id', '=', owner.user_id)
    .orderBy('cart_lines.added_at', 'desc')
    .orderBy('titles.id')
    .execute();
  const owned = new Set((await ownedCopies(db, { storeId: owner.store_id, userId: owner.user_id })).map((row) => row.title_id));
  const ids = [...new Set(rows.flatMap((row) => row.campaign_id ?? []))];
  const campaigns = (await readCampaigns(db, owner.store_id, ids)).filter((each) => campaignState(each, now) === 'running');
  const priced = rows.map(({ offered, added_at: addedAt, campaign_id: campaignId, ...row }) => {
    const campaign = campaigns.find(({ id }) => id === campaignId);
    const title = { ...row, prices: row.prices ?? [] };
    const offer = campaign && offerOf(campaign, row.id);
    return {
      titleId: row.id,
      name: row.name,
      addedAt,
      isOwned: owned.has(row.id),
      title: offered ? atCampaignPrice(title, offer) : null,
      isOfferedAsReward: offer?.isReward === true,
      campaignId: campaign?.id ?? null,
      campaign: campaign ?? null,
      usual: null,
      isReward: false,
    };
  });
  const sold = priced.filter(isSold);
  const latest = sold.find(({ isOfferedAsReward }) => !isOfferedAsReward) ?? sold[0];
  const currency = wanted ?? latest?.title?.prices[0]?.currency ?? null;
  const isPaid = (line: CartLine): boolean => isSold(line) && priceIn(line, currency) !== undefined;
  const rewards = rewardsIn(campaigns, sold, isPaid);
  const found = priced.map((line) => ({ ...line, isReward: rewards.has(line.titleId) }));
  const lines = found.map((line) => (discount && isPaid(line) ? atDiscount(line, discount) : line));
  const payable = lines
    .filter((line) => line.isReward || isPaid(line))
    .map((line) => ({
      titleId: line.titleId,
      amountMinor: line.isReward ? 0 : (priceIn(line, currency)?.amount ?? 0),
    }));
  return { lines, payable, currency };
}

/** @throws DomainError conflict code_misfit where the code is for none of what is paid for */
export function refuseMisfit({ lines, payable }: Cart, discount: CartDiscount | undefined): void {
  if (discount && payable.length > 0 && lines.every(({ usual }) => usual === null)) throw codeMisfit();
}
