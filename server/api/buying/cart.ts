import { putIn, takeOut, type Owner } from '../../cart/lines.ts';
import { type Cart, readCart, refuseMisfit } from '../../cart/read-cart.ts';
import { campaignState, readCampaigns } from '../../campaigns/offers.ts';
import { isReached, offerOf } from '../../campaigns/rewards.ts';
import type { Database } from '../../database/open.ts';
import { amountText, currencySymbol } from '../../base/money.ts';
import { priceList, titleSummary } from '../../catalogue/title-xml.ts';
import { type CartDiscount, cartDiscount } from '../../codes/payment-code.ts';
import { textIn } from '../../base/language.ts';
import { totalOf } from '../../payment/order.ts';
import { requireSelling } from '../../payment/require-selling.ts';
import { element, fields, type Markup } from '../../base/xml/write.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { payerOf } from '../calls/caller.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';
import { realNow, shopNow } from '../../base/clock/time.ts';

const ownerOf = ({ store, customer }: Pick<CustomerCall, 'store' | 'customer'>): Owner => ({
  store_id: store.id,
  user_id: customer.id,
});

/** What is paid for together, and for how much; nothing where there is nothing to pay. */
const totals = ({ payable, currency }: Cart): Markup[] =>
  currency === null || payable.length === 0
    ? []
    : [
        fields({
          Total: amountText(totalOf({ lines: payable }), currency),
          Currency: currency,
          CurrencySymbol: currencySymbol(currency),
        }),
      ];

function written({ store, spoken }: Pick<CustomerCall, 'store' | 'spoken'>, cart: Cart): Markup {
  const lines = cart.lines.map(({ titleId, name, addedAt, isOwned, campaignId, campaign, isReward, usual }) =>
    element('Line', [
      fields({
        TitleId: titleId,
        Name: name,
        AddedAt: addedAt.toISOString(),
        Owned: isOwned,
        CampaignId: campaignId,
        CampaignName: campaign === null ? undefined : textIn(campaign, 'name', spoken),
        Reward: isReward || undefined,
        UsualPrices: usual === null ? undefined : priceList(usual),
      }),
    ]),
  );
  const titles = cart.lines.flatMap(({ title }) => (title === null ? [] : [titleSummary(store.id, title)]));
  return element('Cart', [
    fields({ Count: cart.lines.length }),
    ...totals(cart),
    element('Titles', titles),
    element('Lines', lines),
  ]);
}

type Wanted = { currency?: string | undefined; discount?: CartDiscount | undefined };

const answered = async (
  call: Pick<CustomerCall, 'services' | 'store' | 'customer' | 'spoken'>,
  { currency, discount }: Wanted = {},
): Promise<Markup> => written(call, await readCart(call.services.db, ownerOf(call), { wanted: currency, discount }));

/** The cart; its titles come with all that a list shows of them. */
export async function cartTitles(call: CustomerCall<'cartTitles'>): Answer<'cartTitles'> {
  const { services, query } = call;
  const discount = await cartDiscount(services.db, payerOf(call), query.code);
  const cart = await readCart(services.db, ownerOf(call), { wanted: query.currency, discount });
  refuseMisfit(cart, discount);
  return written(call, cart);
}

/** When a title was added, as its browser tells by its own clock; none is added in the future. */
function addedAt(told: string | undefined): Date {
  const now = realNow();
  const at = told === undefined ? now : Date.parse(told);
  return new Date(Number.isNaN(at) ? now : Math.min(at, now));
}

/**
 * Whether a title may be put into the cart from a campaign.
 * @throws DomainError not_found; conflict campaign_over or campaign_not_begun; for a reward
 * reward_not_reached, and rewards_taken where as many are in the cart as the campaign gives
 */
async function refuseCampaign(db: Database, owner: Owner, campaignId: string, titleId: string): Promise<void> {
  const [campaign] = await readCampaigns(db, owner.store_id, [campaignId]);
  const offer = campaign && offerOf(campaign, titleId);
  if (!campaign || !offer) throw notFound('campaign');
  const state = campaignState(campaign, shopNow());
  if (state === 'over') throw new DomainError('conflict', 'This campaign is over.', { code: 'campaign_over' });
  if (state === 'notBegun') throw new DomainError('conflict', 'This campaign has not begun yet.', { code: 'campaign_not_begun' });
  if (!offer.isReward) return;
  const { lines, payable } = await readCart(db, owner);
  if (lines.some((line) => line.titleId === titleId && line.isReward)) return;
  const paid = new Set(payable.map((line) => line.titleId));
  if (!isReached(campaign, lines, (line) => paid.has(line.titleId)))
    throw new DomainError('conflict', 'This reward has not been reached yet.', { code: 'reward_not_reached' });
  const taken = lines.filter((line) => line.isReward && line.campaignId === campaignId).length;
  if (taken >= campaign.rewardCount)
    throw new DomainError('conflict', 'All rewards have been chosen.', { code: 'rewards_taken' });
}

/** Puts a title of the shop's lists into the cart. */
export async function addToCart(call: CustomerCall<'addToCart'>): Answer<'addToCart'> {
  const { services, store, query } = call;
  const discount = await cartDiscount(services.db, payerOf(call), query.code);
  const { titleId, campaignId = null } = query;
  const title = await services.db
    .selectFrom('titles')
    .select('id')
    .where('store_id', '=', store.id)
    .where('id', '=', titleId)
    .where('offered', '=', true)
    .executeTakeFirst();
  if (!title) throw notFound('title');
  await requireSelling(services.db, store.id);
  if (campaignId !== null) await refuseCampaign(services.db, ownerOf(call), campaignId, titleId);
  await putIn(services.db, ownerOf(call), { titleId, campaignId, addedAt: addedAt(query.addedAt) });
  return answered(call, { discount });
}

export async function removeFromCart(call: CustomerCall<'removeFromCart'>): Answer<'removeFromCart'> {
  const { services, query } = call;
  const discount = await cartDiscount(services.db, payerOf(call), query.code);
  await takeOut(services.db, ownerOf(call), { titleId: query.titleId, campaignId: query.campaignId });
  return answered(call, { discount });
}

/** Takes out what came from a campaign: one of its titles, or all. */
export async function removeCampaign(call: CustomerCall<'removeCampaign'>): Answer<'removeCampaign'> {
  const { services, query } = call;
  const discount = await cartDiscount(services.db, payerOf(call), query.code);
  await takeOut(services.db, ownerOf(call), { titleId: query.titleId, campaignId: query.campaignId });
  return answered(call, { discount });
}
