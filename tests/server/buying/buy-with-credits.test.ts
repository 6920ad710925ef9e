import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bookCredits } from '../../../server/subscriptions/credits.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { makeStore } from '../support/stores.ts';

const creditPrices: Record<string, number> = { book: 2, sound: 3 };
/** The default titles, with the prices in `creditPrices`. */
const makeTitles = () =>
  (makeStore('any').titles ?? []).map((title) => ({
    ...title,
    ...(creditPrices[title.id] === undefined ? {} : { credits: creditPrices[title.id] }),
  }));

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({
    properties: { EnableBuyWithCredits: true, CreditCurrency: { en: 'Tokens', fr: 'Jetons' } },
    titles: makeTitles(),
  });
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterAll(() => shop.close());

const grantCredits = (recipient: Customer, amount: number) =>
  bookCredits(shop.db, { storeId: recipient.store, userId: recipient.id }, { cause: 'a gift', amount });
const buy = (buyer: Customer, titleId = 'book', bodyOverrides: Partial<{ credits: number; creditCurrency: string }> = {}) =>
  shop.call('buyWithCredits', '/purchase/credits', {
    query: buyer.query,
    body: { titleId, credits: 2, creditCurrency: 'Tokens', ...bodyOverrides },
  });
const readBalance = async ({ query }: Customer) =>
  ((await shop.call('creditBalance', '/credits/balance', { query })).value as { CreditBalance: number }).CreditBalance;
const getStatusAndCode = ({ status, value }: { status: number; value: unknown }) => [status, (value as { code?: string }).code];

test('a title is bought with credits, and its receipt is in credits [S7.purchase/credits]', async () => {
  await grantCredits(customer, 5);
  const { value } = await buy(customer);
  const { transId, instanceId } = value as { transId: string; instanceId: string };
  expect(value).toMatchObject({ titleId: 'book', status: 'paid' });
  expect(await readBalance(customer)).toBe(3);
  const receipt = await shop.call('purchaseInfo', '/purchase/info', { query: { ...customer.query, transId } });
  expect(receipt.value).toMatchObject({ titleId: 'book', instanceId, amount: 0, credits: 2 });
  const library = await shop.call('userPurchases', '/user/purchases', { query: customer.query });
  expect(library.value).toMatchObject({ Purchase: [{ TitleId: 'book', Credits: 2, TransId: transId }] });
  expect(library.text).not.toContain('<Paid>');
});

test('a repeated purchase gets the same response and takes no more credits', async () => {
  await grantCredits(customer, 5);
  const [firstResponse, ...repeatedResponses] = await Promise.all(Array.from({ length: 20 }, () => buy(customer)));
  for (const { value } of repeatedResponses) expect(value).toEqual(firstResponse?.value);
  expect(await readBalance(customer)).toBe(3);
  const rows = await shop.db.selectFrom('purchases').select('id').where('user_id', '=', customer.id).execute();
  expect(rows).toHaveLength(1);
});

test('two purchases at once never spend more credits than the balance', async () => {
  await grantCredits(customer, 4);
  const responses = await Promise.all([buy(customer), buy(customer, 'sound', { credits: 3 })]);
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 402]));
  expect(await readBalance(customer)).toBeGreaterThanOrEqual(1);
});

test('a purchase without enough credits is refused and takes no credits', async () => {
  await grantCredits(customer, 1);
  expect(getStatusAndCode(await buy(customer))).toEqual([402, 'insufficient_credits']);
  expect(await readBalance(customer)).toBe(1);
});

test.each([
  ['fewer credits than the price', { credits: 1 }],
  ['zero credits', { credits: 0 }],
  ['another credit currency', { creditCurrency: 'Points' }],
])('a purchase for %s is refused', async (_, bodyOverrides) => {
  await grantCredits(customer, 5);
  expect(getStatusAndCode(await buy(customer, 'book', bodyOverrides))).toEqual([409, 'price_changed']);
  expect(await readBalance(customer)).toBe(5);
});

test('a purchase may name the credit currency in another language of the store', async () => {
  await grantCredits(customer, 5);
  expect(await buy(customer, 'book', { creditCurrency: 'Jetons' })).toMatchObject({ status: 200 });
});

test('a title is not sold for credits without a price in credits, or in a store without credits', async () => {
  await grantCredits(customer, 5);
  expect(getStatusAndCode(await buy(customer, 'gratis'))).toEqual([409, 'not_for_sale']);
  expect(getStatusAndCode(await buy(customer, 'nothing'))[0]).toBe(404);
  const otherCustomer = await createCustomer(shop, await shop.store({ titles: makeTitles() }));
  await grantCredits(otherCustomer, 5);
  expect(getStatusAndCode(await buy(otherCustomer, 'book', { creditCurrency: '' }))).toEqual([409, 'not_for_sale']);
});

test('a title’s response contains its price in credits, if it has one', async () => {
  const title = await shop.call('titleById', '/titles/book', { query: { shelfid: store } });
  expect(title.value).toMatchObject({ Credits: 2 });
  const titleWithoutCredits = await shop.call('titleById', '/titles/gratis', { query: { shelfid: store } });
  expect(titleWithoutCredits.text).not.toContain('<Credits>');
});
