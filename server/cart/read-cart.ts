import { type Campaign, type CampaignOffer, getCampaignState, readCampaigns } from '../campaigns/offers.ts';
import { findOffer, findEarnedRewards } from '../campaigns/rewards.ts';
import { codeMisfitError } from '../codes/find-code.ts';
import { computeDiscount, type CartDiscount } from '../codes/payment-code.ts';
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
  /** id of the running campaign from which the line was added; null outside one */
  campaignId: string | null;
  campaign: Pick<Campaign, 'name' | 'translations'> | null;
  /** the title is a free reward for the paid titles */
  isReward: boolean;
  /** the title's prices before the discount code; null without a discount */
  undiscountedPrices: Price[] | null;
};

/**
 * A cart's lines, the latest first, and the order lines that can be paid together in one currency
 * (`payable`), at current prices.
 */
export type Cart = { lines: CartLine[]; payable: OrderLine[]; currency: string | null };

type Price = TitleRow['prices'][number];

/** Whether a line is for sale, has a price, and is not owned by the customer yet. */
const isSellable = ({ isOwned, title }: CartLine): boolean =>
  !isOwned && title !== null && title.for_sale && (title.prices[0]?.amount ?? 0) > 0;

/**
 * Returns the title at its campaign's price, which replaces the price in the same currency. A
 * campaign price of 0 is ignored: a free title cannot be bought.
 */
function withCampaignPrice(title: TitleRow, offer: CampaignOffer | undefined): TitleRow {
  const { price = null, isReward = false } = offer ?? {};
  if (price === null || isReward || price.amount === 0) return title;
  return {
    ...title,
    prices: title.prices.map((each) => (each.currency === price.currency ? { ...each, amount: price.amount } : each)),
  };
}

/** Returns the line at its discounted prices; rewards stay free. */
function withDiscountedPrice<Each extends Pick<CartLine, 'titleId' | 'title' | 'isReward'>>(
  line: Each,
  { percentOff, titleId }: Pick<CartDiscount, 'percentOff' | 'titleId'>,
): Each & Pick<CartLine, 'undiscountedPrices'> {
  const { title } = line;
  const appliesToLine = titleId === null || titleId === line.titleId;
  if (title === null || line.isReward || !appliesToLine) return { ...line, undiscountedPrices: null };
  const prices = title.prices.map((price) => ({ ...price, amount: price.amount - computeDiscount(price.amount, percentOff) }));
  return { ...line, title: { ...title, prices }, undiscountedPrices: title.prices };
}

const findPrice = ({ title }: CartLine, currency: string | null): Price | undefined =>
  title?.prices.find((price) => price.currency === currency && price.amount > 0);

/**
 * Reads a customer's cart and computes its price. Lines that are owned, free, not for sale, gone,
 * or without a price in the cart's currency are not payable. Running campaigns reduce prices or
 * make titles free rewards, in any of their currencies; other campaigns are ignored.
 * @param options.requestedCurrency left out: the currency of the latest title for sale that is not
 * a reward of its campaign, so that choosing a reward does not exclude the titles that earn it
 * @param options.discount applied after campaign prices
 */
export async function readCart(
  db: Database,
  owner: Owner,
  {
    requestedCurrency,
    discount,
    now = shopNow(),
  }: { requestedCurrency?: string | undefined; discount?: CartDiscount | undefined; now?: Date } = {},
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
  const ownedTitleIds = new Set(
    (await readOwnedCopies(db, { storeId: owner.store_id, userId: owner.user_id })).map((row) => row.title_id),
  );
  const ids = [...new Set(rows.flatMap((row) => row.campaign_id ?? []))];
  const campaigns = (await readCampaigns(db, owner.store_id, ids)).filter((each) => getCampaignState(each, now) === 'running');
  const pricedLines = rows.map(({ offered, added_at: addedAt, campaign_id: campaignId, ...row }) => {
    const campaign = campaigns.find(({ id }) => id === campaignId);
    const title = { ...row, prices: row.prices ?? [] };
    const offer = campaign && findOffer(campaign, row.id);
    return {
      titleId: row.id,
      name: row.name,
      addedAt,
      isOwned: ownedTitleIds.has(row.id),
      title: offered ? withCampaignPrice(title, offer) : null,
      isOfferedAsReward: offer?.isReward === true,
      campaignId: campaign?.id ?? null,
      campaign: campaign ?? null,
      undiscountedPrices: null,
      isReward: false,
    };
  });
  const sellableLines = pricedLines.filter(isSellable);
  const currencyLine = sellableLines.find(({ isOfferedAsReward }) => !isOfferedAsReward) ?? sellableLines[0];
  const currency = requestedCurrency ?? currencyLine?.title?.prices[0]?.currency ?? null;
  const isPaid = (line: CartLine): boolean => isSellable(line) && findPrice(line, currency) !== undefined;
  const rewards = findEarnedRewards(campaigns, sellableLines, isPaid);
  const linesWithRewards = pricedLines.map((line) => ({ ...line, isReward: rewards.has(line.titleId) }));
  const lines = linesWithRewards.map((line) => (discount && isPaid(line) ? withDiscountedPrice(line, discount) : line));
  const payable = lines
    .filter((line) => line.isReward || isPaid(line))
    .map((line) => ({
      titleId: line.titleId,
      amountMinor: line.isReward ? 0 : (findPrice(line, currency)?.amount ?? 0),
    }));
  return { lines, payable, currency };
}

/** @throws DomainError conflict code_misfit if a discount applies to no payable title */
export function assertDiscountApplies({ lines, payable }: Cart, discount: CartDiscount | undefined): void {
  if (discount && payable.length > 0 && lines.every(({ undiscountedPrices }) => undiscountedPrices === null))
    throw codeMisfitError();
}
