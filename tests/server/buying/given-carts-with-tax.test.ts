import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { runOperation } from '../../../server/admin/operations.ts';
import { findLedgerFaults } from '../../../server/payment/ledger.ts';
import { settleRefund } from '../../../server/payment/refund.ts';
import { purchaseKinds } from '../../../server/purchases/kinds.ts';
import { bookCredits } from '../../../server/subscriptions/credits.ts';
import { startCartSession, fillCart } from '../support/carts.ts';
import { insertCode, redeemTitle, readUsesLeft } from '../support/codes.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { getCodeFromEmail, makeGift, type GiftInfo, readGifts, readGiftEmails } from '../support/gifts.ts';
import { readEmailsTo } from '../support/outbox.ts';
import { CARD_NUMBERS, countCharges, confirmPayment, submitCardForm, postFields, type Session } from '../support/paying.ts';
import { readGatewayRefund, refund, selectTransaction } from '../support/refunds.ts';
import { openShop, type CallParameters, type Shop } from '../support/shop.ts';
import { makeStore } from '../support/stores.ts';

/** The default titles; “book” has a price in credits as well. */
const makeTitles = () => (makeStore('any').titles ?? []).map((title) => (title.id === 'book' ? { ...title, credits: 2 } : title));

let shop: Shop;
let store: string;
let giver: Customer;
let gift: GiftInfo & { GiftId: string };
let code: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({
    properties: { EnableTax: true, EnableGiftingTitle: true, EnableBuyWithCredits: true, CreditCurrency: 'Credits' },
    titles: makeTitles(),
  });
  await runOperation(shop.services, 'taxes set', { store, country: 'FR', name: 'TVA', percent: '5.5' });
});
beforeEach(async () => {
  giver = await createCustomer(shop, store);
  gift = makeGift();
  code = await insertCode(shop, store, { grants: 'discount:50%' });
  await fillCart(shop, giver, ['book', 'film']);
});
afterEach(async () => expect(await findLedgerFaults(shop.db)).toEqual([]));
afterAll(() => shop.close());

type Query = NonNullable<CallParameters['query']>;
/**
 * The prices that the app shows: half of 9.90 and of 3.50, and 5.5 % tax for each title: 0.27225
 * and 0.09625, each rounded to cents.
 */
const shownPrices = (): Query => ({
  titleids: 'book,film',
  price: 6.7,
  currency: 'EUR',
  code,
  country: 'FR',
  taxPrice: 0.37,
  priceWithTax: 7.07,
});
const startSession = async (overrides: Query = {}) => {
  const response = await startCartSession(shop, giver, { ...shownPrices(), giftInfo: JSON.stringify(gift), ...overrides });
  return { ...response, value: response.value as Session & Record<string, unknown> };
};
const giveCart = async (): Promise<string> => {
  const { status, value, text } = await startSession();
  if (value.url === undefined) throw new Error(`No payment session: HTTP ${status} ${text}`);
  await submitCardForm(value.url, CARD_NUMBERS.good);
  expect((await confirmPayment(shop, giver, value.transId)).status).toBe(200);
  return value.transId;
};
const readLedger = async (cause: string): Promise<Record<string, number>> => {
  const rows = await shop.db.selectFrom('ledger').selectAll().where('cause', 'like', `${cause}%`).execute();
  const sums: Record<string, number> = {};
  for (const { account, amount } of rows) sums[account] = (sums[account] ?? 0) + Number(amount);
  return sums;
};
const readReceipt = async (transId: string) =>
  (await shop.call('purchaseInfo', '/purchase/info', { query: { ...giver.query, transId, isgift: true } })).value;

test('the tax of a cart is computed after the code’s discount', async () => {
  const { value } = await shop.call('tax', '/tax', {
    query: { ...giver.query, price: 6.7, currency: 'EUR', code, country: 'FR' },
  });
  expect(value).toMatchObject({
    price: 6.7,
    taxPrice: 0.37,
    priceWithTax: 7.07,
    taxRates: [{ name: 'TVA', percent: 5.5, amount: 0.37 }],
  });
  const responseWithoutCode = await shop.call('tax', '/tax', {
    query: { ...giver.query, price: 6.7, currency: 'EUR', country: 'FR' },
  });
  expect(responseWithoutCode.value).toMatchObject({ code: 'price_changed', price: 13.4 });
});

test('a given cart with a code is charged with tax, booked, on the receipt, and refunded completely after a partial refund', async () => {
  const transId = await giveCart();
  expect(await countCharges(shop, transId)).toBe(1);
  expect(await selectTransaction(shop, transId)).toMatchObject({
    kind: 'gift',
    title_id: null,
    amount_minor: 707,
    tax_minor: 37,
    code,
    tax: { country: 'FR', rates: [{ name: 'TVA', milliPercent: 5500, amountMinor: 37 }] },
  });
  expect(await readLedger(`payment ${transId}`)).toEqual({ gateway: 707, sales: -670, tax: -37 });
  const purchases = shop.db.selectFrom('purchases').selectAll().where('transaction_id', '=', transId).orderBy('title_id');
  expect((await purchases.execute()).map((row) => [row.title_id, row.kind, row.amount_minor, row.tax_minor])).toEqual([
    ['book', 'gift', 522, 27],
    ['film', 'gift', 185, 10],
  ]);
  expect(await readReceipt(transId)).toMatchObject({
    isGift: true,
    amount: 7.07,
    tax: 0.37,
    taxRates: [{ name: 'TVA', percent: 5.5, amount: 0.37 }],
    titles: [{ amount: 1.75 }, { amount: 4.95 }],
  });
  const [message] = await readEmailsTo(shop, giver.email);
  for (const line of ['€4.95', '€1.75', 'TVA (5.5%): €0.37', 'Amount paid: €7.07']) expect(message?.text).toContain(line);
  expect(await readUsesLeft(shop, code)).toBe(0);

  await settleRefund({ db: shop.db, kinds: purchaseKinds }, await selectTransaction(shop, transId), 300);
  await refund(shop, store, transId);
  expect(await readGatewayRefund(shop, transId)).toBe(707);
  expect(await readLedger(`refund of ${transId}`)).toEqual({ gateway: -707, refunds: 670, tax: 37 });
  expect(await readGifts(shop, giver)).toMatchObject([{ status: 'refunded' }]);
  const [giftEmail] = await readGiftEmails(shop, gift);
  expect((await redeemTitle(shop, await createCustomer(shop, store), getCodeFromEmail(giftEmail))).value).toMatchObject({
    Code: 'code_expired',
  });
});

test('the recipient of a given cart gets every title', async () => {
  await giveCart();
  const [message] = await readGiftEmails(shop, gift);
  const redemption = await redeemTitle(shop, await createCustomer(shop, store), getCodeFromEmail(message));
  expect(redemption.value.Purchase).toMatchObject([{ TitleId: 'film' }, { TitleId: 'book' }]);
});

test.each([
  ['no country', { country: undefined }, 'tax_place'],
  ['the tax on the price before the code', { taxPrice: 0.73 }, 'price_changed'],
  ['the total without tax', { priceWithTax: 6.7 }, 'price_changed'],
  ['the price before the code', { price: 13.4 }, 'price_changed'],
  ['another currency', { currency: 'USD' }, 'price_changed'],
  ['no code', { code: undefined }, 'price_changed'],
])('a given cart with %s is refused, and no payment starts', async (_, query, expectedCode) => {
  expect(await startSession(query)).toMatchObject({ status: 409, value: { code: expectedCode } });
  expect(await shop.db.selectFrom('transactions').select('id').where('user_id', '=', giver.id).execute()).toEqual([]);
});

test('a given cart started again from another country or with another method is one gift with a new payment, until it is paid', async () => {
  const homeSession = await startSession();
  const foreignSession = await startSession({ country: 'DE', taxPrice: 0, priceWithTax: 6.7 });
  expect(await selectTransaction(shop, homeSession.value.transId)).toMatchObject({
    status: 'cancelled',
    reason: 'price_changed',
  });
  const walletSession = await startSession({ method: 'wallet' });
  expect(await selectTransaction(shop, foreignSession.value.transId)).toMatchObject({ status: 'cancelled' });
  expect((await startSession({ method: 'wallet' })).value.transId).toBe(walletSession.value.transId);
  const { origin, pathname } = new URL(walletSession.value.url);
  await postFields(`${origin}${pathname}/wallet`, { answer: 'approve' });
  expect((await confirmPayment(shop, giver, walletSession.value.transId)).status).toBe(200);
  expect(await selectTransaction(shop, walletSession.value.transId)).toMatchObject({
    status: 'paid',
    method: 'wallet',
    amount_minor: 707,
  });
  expect((await startSession()).value.transId).toBe(walletSession.value.transId);
  expect(await readGifts(shop, giver)).toHaveLength(1);
});

test('a gift paid with credits has no tax', async () => {
  await bookCredits(shop.db, { storeId: store, userId: giver.id }, { cause: 'given', amount: 5 });
  const body = { titleId: 'book', credits: 2, creditCurrency: 'Credits', giftInfo: gift };
  expect((await shop.call('buyWithCredits', '/purchase/credits', { query: giver.query, body })).status).toBe(200);
  expect(await readReceipt(gift.GiftId)).toMatchObject({ amount: 0, credits: 2 });
  expect(await readReceipt(gift.GiftId)).not.toHaveProperty('tax');
});
