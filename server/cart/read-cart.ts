import { type Campaign, type CampaignOffer, getCampaignState, readCampaigns } from '../campaigns/offers.ts';
import { findOffer, findEarnedRewards } from '../campaigns/rewards.ts';
import { codeMisfit } from '../codes/find-code.ts';
import { amountOff, type CartDiscount } from '../codes/payment-code.ts';
import type { TitleRow } from '../catalogue/title-rows.ts';
import { summaryColumns } from '../catalogue/title-rows.ts';
import type { Database } from '../database/open.ts';
import { readOwnedCopies } from '../entitlements/ownership.ts';
import type { OrderLine } from '../payment/order.ts';
import type { Owner } from './lines.ts';
import { shopNow } from '../base/clock/time.ts';

/** A line of the cart; `title` is null if the shop no longer offers it. */
type CartLine = {
  titleId: string;
  name: string;
  addedAt: Date;
  isOwned: boolean;
  title: TitleRow | null;
  /** the running campaign that it was added from */
  campaignId: string | null;
  campaign: Pick<Campaign, 'name' | 'translations'> | null;
  /** It is a free reward for the paid titles. */
  isReward: boolean;
  /** prices before the discount code; null without a discount */
  usual: Price[] | null;
};

/**
 * A cart, the latest line first, and the lines that can be paid together in one currency, at
 * current prices.
 */
export type Cart = { lines: CartLine[]; payable: OrderLine[]; currency: string | null };

type Price = TitleRow['prices'][number];

/** Whether a line is for sale, has a price, and is not owned by the customer yet. */
const isSold = ({ isOwned, title }: CartLine): boolean =>
  !isOwned && title !== null && title.for_sale && (title.prices[0]?.amount ?? 0) > 0;

/**
 * The title at its campaign's price, in the currency of that price. A campaign price of 0 is
 * ignored: a free title cannot be bought.
 */
function withCampaignPrice(title: TitleRow, offer: CampaignOffer | undefined): TitleRow {
  const { price = null, isReward = false } = offer ?? {};
  if (price === null || isReward || price.amount === 0) return title;
  return {
    ...title,
    prices: title.prices.map((each) => (each.currency === price.currency ? { ...each, amount: price.amount } : each)),
  };
}

/** The line at its discounted price; rewards stay free. */
function withDiscountedPrice<Each extends Pick<CartLine, 'titleId' | 'title' | 'isReward'>>(
  line: Each,
  { percentOff, titleId }: Pick<CartDiscount, 'percentOff' | 'titleId'>,
): Each & Pick<CartLine, 'usual'> {
  const { title } = line;
  const isMeant = titleId === null || titleId === line.titleId;
  if (title === null || line.isReward || !isMeant) return { ...line, usual: null };
  const prices = title.prices.map((price) => ({ ...price, amount: price.amount - amountOff(price.amount, percentOff) }));
  return { ...line, title: { ...title, prices }, usual: title.prices };
}

const findPrice = ({ title }: CartLine, currency: string | null): Price | undefined =>
  title?.prices.find((price) => price.currency === currency && price.amount > 0);

/**
 * Reads a customer's cart and computes its price. Lines that are owned, free, not for sale, gone,
 * or without a price in the cart's currency are not payable. Running campaigns reduce prices or
 * make titles free rewards, in any of their currencies; other campaigns are ignored.
 * @param wanted the currency; default: the currency of the latest title for sale that is not a
 * reward of its campaign, so that choosing a reward does not exclude the titles that earn it
 * @param discount is applied to campaign prices
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
  const owned = new Set(
    (await readOwnedCopies(db, { storeId: owner.store_id, userId: owner.user_id })).map((row) => row.title_id),
  );
  const ids = [...new Set(rows.flatMap((row) => row.campaign_id ?? []))];
  const campaigns = (await readCampaigns(db, owner.store_id, ids)).filter((each) => getCampaignState(each, now) === 'running');
  const priced = rows.map(({ offered, added_at: addedAt, campaign_id: campaignId, ...row }) => {
    const campaign = campaigns.find(({ id }) => id === campaignId);
    const title = { ...row, prices: row.prices ?? [] };
    const offer = campaign && findOffer(campaign, row.id);
    return {
      titleId: row.id,
      name: row.name,
      addedAt,
      isOwned: owned.has(row.id),
      title: offered ? withCampaignPrice(title, offer) : null,
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
  const isPaid = (line: CartLine): boolean => isSold(line) && findPrice(line, currency) !== undefined;
  const rewards = findEarnedRewards(campaigns, sold, isPaid);
  const found = priced.map((line) => ({ ...line, isReward: rewards.has(line.titleId) }));
  const lines = found.map((line) => (discount && isPaid(line) ? withDiscountedPrice(line, discount) : line));
  const payable = lines
    .filter((line) => line.isReward || isPaid(line))
    .map((line) => ({
      titleId: line.titleId,
      amountMinor: line.isReward ? 0 : (findPrice(line, currency)?.amount ?? 0),
    }));
  return { lines, payable, currency };
}

/** @throws DomainError conflict code_misfit if the code applies to none of the payable titles */
export function assertDiscountApplies({ lines, payable }: Cart, discount: CartDiscount | undefined): void {
  if (discount && payable.length > 0 && lines.every(({ usual }) => usual === null)) throw codeMisfit();
}
