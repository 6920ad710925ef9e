import { addCartLine, removeCartLines, type Owner } from '../../cart/lines.ts';
import { type Cart, readCart, assertDiscountApplies } from '../../cart/read-cart.ts';
import { getCampaignState, readCampaigns } from '../../campaigns/offers.ts';
import { hasEarnedRewards, findOffer } from '../../campaigns/rewards.ts';
import type { Database } from '../../database/open.ts';
import { formatAmount, currencySymbol } from '../../base/money.ts';
import { renderPrices, renderTitleSummary } from '../../catalogue/title-xml.ts';
import { type CartDiscount, readCartDiscount } from '../../codes/payment-code.ts';
import { localizeText } from '../../base/language.ts';
import { sumAmounts } from '../../payment/order.ts';
import { requireSelling } from '../../payment/require-selling.ts';
import { renderElement, renderFields, type Markup } from '../../base/xml/write.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { toPayer } from '../calls/caller.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';
import { realNow, shopNow } from '../../base/clock/time.ts';

const toOwner = ({ store, customer }: Pick<CustomerCall, 'store' | 'customer'>): Owner => ({
  store_id: store.id,
  user_id: customer.id,
});

/** Renders the totals of the payable lines; empty if no line is payable. */
const renderTotals = ({ payable, currency }: Cart): Markup[] =>
  currency === null || payable.length === 0
    ? []
    : [
        renderFields({
          Total: formatAmount(sumAmounts({ lines: payable }), currency),
          Currency: currency,
          CurrencySymbol: currencySymbol(currency),
        }),
      ];

function renderCart({ store, spoken }: Pick<CustomerCall, 'store' | 'spoken'>, cart: Cart): Markup {
  const lines = cart.lines.map(({ titleId, name, addedAt, isOwned, campaignId, campaign, isReward, undiscountedPrices }) =>
    renderElement('Line', [
      renderFields({
        TitleId: titleId,
        Name: name,
        AddedAt: addedAt.toISOString(),
        Owned: isOwned,
        CampaignId: campaignId,
        CampaignName: campaign === null ? undefined : localizeText(campaign, 'name', spoken),
        Reward: isReward || undefined,
        UsualPrices: undiscountedPrices === null ? undefined : renderPrices(undiscountedPrices),
      }),
    ]),
  );
  const titles = cart.lines.flatMap(({ title }) => (title === null ? [] : [renderTitleSummary(store.id, title)]));
  return renderElement('Cart', [
    renderFields({ Count: cart.lines.length }),
    ...renderTotals(cart),
    renderElement('Titles', titles),
    renderElement('Lines', lines),
  ]);
}

type CartRequest = { currency?: string | undefined; discount?: CartDiscount | undefined };

const renderCurrentCart = async (
  call: Pick<CustomerCall, 'services' | 'store' | 'customer' | 'spoken'>,
  { currency, discount }: CartRequest = {},
): Promise<Markup> =>
  renderCart(call, await readCart(call.services.db, toOwner(call), { requestedCurrency: currency, discount }));

/** Returns the cart, with the summary of each title. */
export async function cartTitles(call: CustomerCall<'cartTitles'>): Answer<'cartTitles'> {
  const { services, query } = call;
  const discount = await readCartDiscount(services.db, toPayer(call), query.code);
  const cart = await readCart(services.db, toOwner(call), { requestedCurrency: query.currency, discount });
  assertDiscountApplies(cart, discount);
  return renderCart(call, cart);
}

/** Returns the time at which a title was added, by the browser's clock, but never in the future. */
function parseAddedAt(clientTime: string | undefined): Date {
  const now = realNow();
  const addedAt = clientTime === undefined ? now : Date.parse(clientTime);
  return new Date(Number.isNaN(addedAt) ? now : Math.min(addedAt, now));
}

/**
 * Checks that a title may be added to the cart from a campaign.
 * @throws DomainError not_found; conflict campaign_over or campaign_not_begun; for a reward
 * reward_not_reached, or rewards_taken if the cart has the campaign's number of rewards
 */
async function assertCampaignTitle(db: Database, owner: Owner, campaignId: string, titleId: string): Promise<void> {
  const [campaign] = await readCampaigns(db, owner.store_id, [campaignId]);
  const offer = campaign && findOffer(campaign, titleId);
  if (!campaign || !offer) throw notFound('campaign');
  const state = getCampaignState(campaign, shopNow());
  if (state === 'over') throw new DomainError('conflict', 'This offer is over.', { code: 'campaign_over' });
  if (state === 'notBegun') throw new DomainError('conflict', 'This campaign has not begun yet.', { code: 'campaign_not_begun' });
  if (!offer.isReward) return;
  const { lines, payable } = await readCart(db, owner);
  if (lines.some((line) => line.titleId === titleId && line.isReward)) return;
  const paidTitleIds = new Set(payable.map((line) => line.titleId));
  if (!hasEarnedRewards(campaign, lines, (line) => paidTitleIds.has(line.titleId)))
    throw new DomainError('conflict', 'This reward has not been reached yet.', { code: 'reward_not_reached' });
  const chosenRewardCount = lines.filter((line) => line.isReward && line.campaignId === campaignId).length;
  if (chosenRewardCount >= campaign.rewardCount)
    throw new DomainError('conflict', 'All rewards have been chosen.', { code: 'rewards_taken' });
}

/** Adds a listed title to the cart. */
export async function addToCart(call: CustomerCall<'addToCart'>): Answer<'addToCart'> {
  const { services, store, query } = call;
  const discount = await readCartDiscount(services.db, toPayer(call), query.code);
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
  if (campaignId !== null) await assertCampaignTitle(services.db, toOwner(call), campaignId, titleId);
  await addCartLine(services.db, toOwner(call), { titleId, campaignId, addedAt: parseAddedAt(query.addedAt) });
  return renderCurrentCart(call, { discount });
}

export async function removeFromCart(call: CustomerCall<'removeFromCart'>): Answer<'removeFromCart'> {
  const { services, query } = call;
  const discount = await readCartDiscount(services.db, toPayer(call), query.code);
  await removeCartLines(services.db, toOwner(call), { titleId: query.titleId, campaignId: query.campaignId });
  return renderCurrentCart(call, { discount });
}

/** Removes one title of a campaign, or all of them, from the cart. */
export async function removeCampaign(call: CustomerCall<'removeCampaign'>): Answer<'removeCampaign'> {
  const { services, query } = call;
  const discount = await readCartDiscount(services.db, toPayer(call), query.code);
  await removeCartLines(services.db, toOwner(call), { titleId: query.titleId, campaignId: query.campaignId });
  return renderCurrentCart(call, { discount });
}
