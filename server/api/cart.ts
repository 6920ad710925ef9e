import { putIn, takeOut, type Owner } from '../cart/lines.ts';
import { type Cart, readCart } from '../cart/read-cart.ts';
import { amountText, currencySymbol } from '../catalogue/money.ts';
import { titleSummary } from '../catalogue/title-xml.ts';
import { totalOf } from '../payment/order.ts';
import { element, fields, type Markup } from '../xml/write.ts';
import type { Answer, CustomerCall } from './call.ts';
import { notFound, Refusal } from './refusal.ts';

const refuseCode = (code: string | undefined): void => {
  if (code) throw new Refusal(501, 'Codes are not served yet.');
};

export const ownerOf = ({ store, customer }: Pick<CustomerCall, 'store' | 'customer'>): Owner => ({
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

function written(storeId: string, cart: Cart): Markup {
  const lines = cart.lines.map(({ titleId, name, addedAt, isOwned }) =>
    element('Line', [fields({ TitleId: titleId, Name: name, AddedAt: addedAt.toISOString(), Owned: isOwned })]),
  );
  const titles = cart.lines.flatMap(({ title }) => (title === null ? [] : [titleSummary(storeId, title)]));
  return element('Cart', [
    fields({ Count: cart.lines.length }),
    ...totals(cart),
    element('Titles', titles),
    element('Lines', lines),
  ]);
}

const answered = async (call: Pick<CustomerCall, 'services' | 'store' | 'customer'>, currency?: string): Promise<Markup> =>
  written(call.store.id, await readCart(call.services.db, ownerOf(call), currency));

/** The cart; its titles come with all that a list shows of them. */
export async function cartTitles(call: CustomerCall<'cartTitles'>): Answer<'cartTitles'> {
  refuseCode(call.query.code);
  return answered(call, call.query.currency);
}

/** When a title was added, as its browser tells; none is added in the future. */
function addedAt(told: string | undefined): Date {
  const now = Date.now();
  const at = told === undefined ? now : Date.parse(told);
  return new Date(Number.isNaN(at) ? now : Math.min(at, now));
}

/** Puts a title of the shop's lists into the cart. */
export async function addToCart(call: CustomerCall<'addToCart'>): Answer<'addToCart'> {
  const { services, store, query } = call;
  refuseCode(query.code);
  const { titleId, campaignId = null } = query;
  const title = await services.db
    .selectFrom('titles')
    .select('id')
    .where('store_id', '=', store.id)
    .where('id', '=', titleId)
    .where('listed', '=', true)
    .executeTakeFirst();
  if (!title) throw notFound('title');
  if (campaignId !== null) {
    const offered = await services.db
      .selectFrom('campaign_titles')
      .select('title_id')
      .where('store_id', '=', store.id)
      .where('campaign_id', '=', campaignId)
      .where('title_id', '=', titleId)
      .executeTakeFirst();
    if (!offered) throw notFound('campaign');
  }
  await putIn(services.db, ownerOf(call), { titleId, campaignId, addedAt: addedAt(query.addedAt) });
  return answered(call);
}

export async function removeFromCart(call: CustomerCall<'removeFromCart'>): Answer<'removeFromCart'> {
  const { services, query } = call;
  refuseCode(query.code);
  await takeOut(services.db, ownerOf(call), { titleId: query.titleId, campaignId: query.campaignId });
  return answered(call);
}

/** Takes out what came from a campaign: one of its titles, or all. */
export async function removeCampaign(call: CustomerCall<'removeCampaign'>): Answer<'removeCampaign'> {
  const { services, query } = call;
  refuseCode(query.code);
  await takeOut(services.db, ownerOf(call), { titleId: query.titleId, campaignId: query.campaignId });
  return answered(call);
}
