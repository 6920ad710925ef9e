import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { operate } from '../../../server/admin/operations.ts';
import { ledgerFaults } from '../../../server/payment/ledger.ts';
import { settleRefund } from '../../../server/payment/refund.ts';
import { purchaseKinds } from '../../../server/purchases/kinds.ts';
import { bookCredits } from '../../../server/subscriptions/credits.ts';
import { beginCart, fill } from '../support/carts.ts';
import { codeIn, redeemTitle, usesLeft } from '../support/codes.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { codeInLetter, giftFor, type GiftInfo, giftsOf, lettersOf } from '../support/gifts.ts';
import { sentTo } from '../support/outbox.ts';
import { CARDS, chargesOf, confirm, pay, post, type Session } from '../support/paying.ts';
import { givenBack, refund, transactionOf } from '../support/refunds.ts';
import { openShop, type Asked, type Shop } from '../support/shop.ts';
import { storeOf } from '../support/stores.ts';

/** The usual titles; one costs credits as well. */
const titles = () => (storeOf('any').titles ?? []).map((title) => (title.id === 'book' ? { ...title, credits: 2 } : title));

let shop: Shop;
let store: string;
let giver: Customer;
let gift: GiftInfo & { GiftId: string };
let code: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({
    properties: { EnableTax: true, EnableGiftingTitle: true, EnableBuyWithCredits: true, CreditCurrency: 'Credits' },
    titles: titles(),
  });
  await operate(shop.services, 'taxes set', { store, country: 'FR', name: 'TVA', percent: '5.5' });
});
beforeEach(async () => {
  giver = await customerOf(shop, store);
  gift = giftFor();
  code = await codeIn(shop, store, { grants: 'discount:50%' });
  await fill(shop, giver, ['book', 'film']);
});
afterEach(async () => expect(await ledgerFaults(shop.db)).toEqual([]));
afterAll(() => shop.close());

type Query = NonNullable<Asked['query']>;
/** What is shown: half of 9.90 and of 3.50, and 5.5 % of each of these by itself, which are 0.27225 and 0.09625. */
const shown = (): Query => ({
  titleids: 'book,film',
  price: 6.7,
  currency: 'EUR',
  code,
  country: 'FR',
  taxPrice: 0.37,
  priceWithTax: 7.07,
});
const begin = async (more: Query = {}) => {
  const answer = await beginCart(shop, giver, { ...shown(), giftInfo: JSON.stringify(gift), ...more });
  return { ...answer, value: answer.value as Session & Record<string, unknown> };
};
const give = async (): Promise<string> => {
  const { value, text } = await begin();
  if (value.url === undefined) throw new Error(`No session: ${text}`);
  await pay(value.url, CARDS.good);
  expect((await confirm(shop, giver, value.transId)).status).toBe(200);
  return value.transId;
};
const booked = async (cause: string): Promise<Record<string, number>> => {
  const rows = await shop.db.selectFrom('ledger').selectAll().where('cause', 'like', `${cause}%`).execute();
  const sums: Record<string, number> = {};
  for (const { account, amount } of rows) sums[account] = (sums[account] ?? 0) + Number(amount);
  return sums;
};
const receipt = async (transId: string) =>
  (await shop.ask('purchaseInfo', '/purchase/info', { query: { ...giver.query, transId, isgift: true } })).value;

test('what a cart costs with tax is told with the code taken off first', async () => {
  const { value } = await shop.ask('tax', '/tax', {
    query: { ...giver.query, price: 6.7, currency: 'EUR', code, country: 'FR' },
  });
  expect(value).toMatchObject({
    price: 6.7,
    taxPrice: 0.37,
    priceWithTax: 7.07,
    taxRates: [{ name: 'TVA', percent: 5.5, amount: 0.37 }],
  });
  const without = await shop.ask('tax', '/tax', { query: { ...giver.query, price: 6.7, currency: 'EUR', country: 'FR' } });
  expect(without.value).toMatchObject({ code: 'price_changed', price: 13.4 });
});

test('a given cart with a code is charged with tax, told, booked, and goes back whole', async () => {
  const transId = await give();
  expect(await chargesOf(shop, transId)).toBe(1);
  expect(await transactionOf(shop, transId)).toMatchObject({
    kind: 'gift',
    title_id: null,
    amount_minor: 707,
    tax_minor: 37,
    code,
    tax: { country: 'FR', rates: [{ name: 'TVA', milliPercent: 5500, amountMinor: 37 }] },
  });
  expect(await booked(`payment ${transId}`)).toEqual({ gateway: 707, sales: -670, tax: -37 });
  const purchases = shop.db.selectFrom('purchases').selectAll().where('transaction_id', '=', transId).orderBy('title_id');
  expect((await purchases.execute()).map((row) => [row.title_id, row.kind, row.amount_minor, row.tax_minor])).toEqual([
    ['book', 'gift', 522, 27],
    ['film', 'gift', 185, 10],
  ]);
  expect(await receipt(transId)).toMatchObject({
    isGift: true,
    amount: 7.07,
    tax: 0.37,
    taxRates: [{ name: 'TVA', percent: 5.5, amount: 0.37 }],
    titles: [{ amount: 1.75 }, { amount: 4.95 }],
  });
  const [letter] = await sentTo(shop, giver.email);
  for (const line of ['€4.95', '€1.75', 'TVA (5.5%): €0.37', 'Amount paid: €7.07']) expect(letter?.text).toContain(line);
  expect(await usesLeft(shop, code)).toBe(0);

  await settleRefund({ db: shop.db, kinds: purchaseKinds }, await transactionOf(shop, transId), 300);
  await refund(shop, store, transId);
  expect(await givenBack(shop, transId)).toBe(707);
  expect(await booked(`refund of ${transId}`)).toEqual({ gateway: -707, refunds: 670, tax: 37 });
  expect(await giftsOf(shop, giver)).toMatchObject([{ status: 'refunded' }]);
  const [gone] = await lettersOf(shop, gift);
  expect((await redeemTitle(shop, await customerOf(shop, store), codeInLetter(gone))).value).toMatchObject({
    Code: 'code_expired',
  });
});

test('whoever opens it gets every title, and sees nothing of what was paid', async () => {
  await give();
  const [letter] = await lettersOf(shop, gift);
  const opened = await redeemTitle(shop, await customerOf(shop, store), codeInLetter(letter));
  expect(opened.value.Purchase).toMatchObject([{ TitleId: 'film' }, { TitleId: 'book' }]);
});

test.each([
  ['no country', { country: undefined }, 'tax_place'],
  ['the tax on the price before the code', { taxPrice: 0.73 }, 'price_changed'],
  ['the total without tax', { priceWithTax: 6.7 }, 'price_changed'],
  ['the price before the code', { price: 13.4 }, 'price_changed'],
  ['another currency', { currency: 'USD' }, 'price_changed'],
  ['no code', { code: undefined }, 'price_changed'],
])('it is refused with %s, and nothing begins', async (_, query, says) => {
  expect(await begin(query)).toMatchObject({ status: 409, value: { code: says } });
  expect(await shop.db.selectFrom('transactions').select('id').where('user_id', '=', giver.id).execute()).toEqual([]);
});

test('begun again in another place, or to be paid otherwise, it is one gift by another payment; given, it stays that one', async () => {
  const home = await begin();
  const abroad = await begin({ country: 'DE', taxPrice: 0, priceWithTax: 6.7 });
  expect(await transactionOf(shop, home.value.transId)).toMatchObject({ status: 'cancelled', reason: 'price_changed' });
  const wallet = await begin({ method: 'wallet' });
  expect(await transactionOf(shop, abroad.value.transId)).toMatchObject({ status: 'cancelled' });
  expect((await begin({ method: 'wallet' })).value.transId).toBe(wallet.value.transId);
  const { origin, pathname } = new URL(wallet.value.url);
  await post(`${origin}${pathname}/wallet`, { answer: 'approve' });
  expect((await confirm(shop, giver, wallet.value.transId)).status).toBe(200);
  expect(await transactionOf(shop, wallet.value.transId)).toMatchObject({ status: 'paid', method: 'wallet', amount_minor: 707 });
  expect((await begin()).value.transId).toBe(wallet.value.transId);
  expect(await giftsOf(shop, giver)).toHaveLength(1);
});

test('a gift for credits costs no tax', async () => {
  await bookCredits(shop.db, { storeId: store, userId: giver.id }, { cause: 'given', amount: 5 });
  const body = { titleId: 'book', credits: 2, creditCurrency: 'Credits', giftInfo: gift };
  expect((await shop.ask('buyWithCredits', '/purchase/credits', { query: giver.query, body })).status).toBe(200);
  expect(await receipt(gift.GiftId)).toMatchObject({ amount: 0, credits: 2 });
  expect(await receipt(gift.GiftId)).not.toHaveProperty('tax');
});
