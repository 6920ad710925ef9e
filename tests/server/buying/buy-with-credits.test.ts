import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bookCredits } from '../../../server/subscriptions/credits.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { makeStore } from '../support/stores.ts';

const creditPrices: Record<string, number> = { book: 2, sound: 3 };
/** The usual titles; some have a price in credits as well. */
const titles = () =>
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
    titles: titles(),
  });
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterAll(() => shop.close());

const grantCredits = (who: Customer, amount: number) =>
  bookCredits(shop.db, { storeId: who.store, userId: who.id }, { cause: 'a gift', amount });
const buy = (who: Customer, titleId = 'book', part: Partial<{ credits: number; creditCurrency: string }> = {}) =>
  shop.ask('buyWithCredits', '/purchase/credits', {
    query: who.query,
    body: { titleId, credits: 2, creditCurrency: 'Tokens', ...part },
  });
const balance = async ({ query }: Customer) =>
  ((await shop.ask('creditBalance', '/credits/balance', { query })).value as { CreditBalance: number }).CreditBalance;
const statusAndCode = ({ status, value }: { status: number; value: unknown }) => [status, (value as { code?: string }).code];

test('a title is bought with credits, and its receipt is in credits [S7.purchase/credits]', async () => {
  await grantCredits(customer, 5);
  const { value } = await buy(customer);
  const { transId, instanceId } = value as { transId: string; instanceId: string };
  expect(value).toMatchObject({ titleId: 'book', status: 'paid' });
  expect(await balance(customer)).toBe(3);
  const receipt = await shop.ask('purchaseInfo', '/purchase/info', { query: { ...customer.query, transId } });
  expect(receipt.value).toMatchObject({ titleId: 'book', instanceId, amount: 0, credits: 2 });
  const library = await shop.ask('userPurchases', '/user/purchases', { query: customer.query });
  expect(library.value).toMatchObject({ Purchase: [{ TitleId: 'book', Credits: 2, TransId: transId }] });
  expect(library.text).not.toContain('<Paid>');
});

test('a repeated purchase gets the same response and takes no more credits', async () => {
  await grantCredits(customer, 5);
  const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => buy(customer)));
  for (const { value } of others) expect(value).toEqual(first?.value);
  expect(await balance(customer)).toBe(3);
  const rows = await shop.db.selectFrom('purchases').select('id').where('user_id', '=', customer.id).execute();
  expect(rows).toHaveLength(1);
});

test('two purchases at once never spend more credits than the balance', async () => {
  await grantCredits(customer, 4);
  const answers = await Promise.all([buy(customer), buy(customer, 'sound', { credits: 3 })]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 402]));
  expect(await balance(customer)).toBeGreaterThanOrEqual(1);
});

test('a purchase without enough credits takes and grants nothing', async () => {
  await grantCredits(customer, 1);
  expect(statusAndCode(await buy(customer))).toEqual([402, 'insufficient_credits']);
  expect(await balance(customer)).toBe(1);
});

test.each([
  ['another number', { credits: 1 }],
  ['nothing', { credits: 0 }],
  ['another currency', { creditCurrency: 'Points' }],
])('a price of %s is refused', async (_, part) => {
  await grantCredits(customer, 5);
  expect(statusAndCode(await buy(customer, 'book', part))).toEqual([409, 'price_changed']);
  expect(await balance(customer)).toBe(5);
});

test('the credit currency is accepted by its name in every language', async () => {
  await grantCredits(customer, 5);
  expect(await buy(customer, 'book', { creditCurrency: 'Jetons' })).toMatchObject({ status: 200 });
});

test('a title without a price in credits is refused, and so is every title in a store without credits', async () => {
  await grantCredits(customer, 5);
  expect(statusAndCode(await buy(customer, 'gratis'))).toEqual([409, 'not_for_sale']);
  expect(statusAndCode(await buy(customer, 'nothing'))[0]).toBe(404);
  const other = await createCustomer(shop, await shop.store({ titles: titles() }));
  await grantCredits(other, 5);
  expect(statusAndCode(await buy(other, 'book', { creditCurrency: '' }))).toEqual([409, 'not_for_sale']);
});

test('a title shows its price in credits', async () => {
  const title = await shop.ask('titleById', '/titles/book', { query: { shelfid: store } });
  expect(title.value).toMatchObject({ Credits: 2 });
  const without = await shop.ask('titleById', '/titles/gratis', { query: { shelfid: store } });
  expect(without.text).not.toContain('<Credits>');
});
