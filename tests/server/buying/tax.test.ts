import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OperationInput } from '../../../server/admin/operation-input.ts';
import { runOperation } from '../../../server/admin/operations.ts';
import { settleRefund } from '../../../server/payment/refund.ts';
import { purchaseKinds } from '../../../server/purchases/kinds.ts';
import { saveCard } from '../support/cards.ts';
import { fillCart } from '../support/carts.ts';
import { insertCode } from '../support/codes.ts';
import { createCustomer, type Customer } from '../support/customers.ts';
import { makeGift, startGiftSession } from '../support/gifts.ts';
import { readEmailsTo } from '../support/outbox.ts';
import { CARD_NUMBERS, countCharges, confirmPayment, submitCardForm, type Session } from '../support/paying.ts';
import { readGatewayRefund, refund, selectTransaction } from '../support/refunds.ts';
import { openShop, type CallParameters, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({ properties: { EnableTax: true, EnableGiftingTitle: true } });
  const rates = [
    { country: 'FR', name: 'TVA', percent: '5.5' },
    { country: 'JP', name: '消費税', percent: '10' },
    { country: 'US', region: 'CA', regionName: 'California', name: 'State tax', percent: '7.25' },
    { country: 'US', region: 'CA', name: 'District tax', percent: '1.125' },
    { country: 'US', region: 'OR', regionName: 'Oregon', name: 'State tax', percent: '0' },
  ];
  for (const rate of rates) await runTaxOperation('set', rate);
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterAll(() => shop.close());

const runTaxOperation = (verb: string, input: OperationInput, taxStore = store) =>
  runOperation(shop.services, `taxes ${verb}`, { store: taxStore, ...input });

type Query = NonNullable<CallParameters['query']>;
const readQuote = async (query: Query, buyer = customer) => {
  const response = await shop.call('tax', '/tax', { query: { ...buyer.query, titleid: 'book', ...query } });
  return { ...response, value: response.value as Record<string, unknown> };
};
const startSession = async (query: Query, buyer = customer) => {
  const response = await shop.call('paymentSession', '/payment/session', {
    query: { ...buyer.query, titleId: 'book', ...query },
  });
  return { ...response, value: response.value as Session & Record<string, unknown> };
};
const authorize = async (query: Query, buyer = customer): Promise<string> => {
  const { status, value, text } = await startSession(query, buyer);
  if (value.url === undefined) throw new Error(`No payment session: HTTP ${status} ${text}`);
  await submitCardForm(value.url, CARD_NUMBERS.good);
  return value.transId;
};
const confirmPurchase = (transactonId: string, query: Query) =>
  shop.call('confirmTitlePurchase', '/purchase/title/confirm', { query: { ...customer.query, transactonId, ...query } });
const readLedger = async (cause: string) => {
  const rows = shop.db.selectFrom('ledger').selectAll().where('cause', 'like', `${cause}%`).orderBy('cause').orderBy('account');
  return (await rows.execute()).map(({ account, amount }) => [account, amount]);
};
const readReceipt = async (transId: string) =>
  (await shop.call('purchaseInfo', '/purchase/info', { query: { ...customer.query, transId } })).value as Record<string, unknown>;
const selectTransactions = () => shop.db.selectFrom('transactions').selectAll().where('user_id', '=', customer.id).execute();

describe('the tax call [S7.tax]', () => {
  test('a title’s price with tax is the price plus each rate of the place, rounded to the smallest unit', async () => {
    expect((await readQuote({ country: 'FR' })).value).toEqual({
      price: 9.9,
      taxPrice: 0.54,
      priceWithTax: 10.44,
      taxRates: [{ name: 'TVA', percent: 5.5, amount: 0.54 }],
      currency: 'EUR',
      country: 'FR',
      region: null,
      countries: [],
      regions: [],
    });
    expect((await readQuote({ country: 'US', region: 'CA', price: 9.9, currency: 'EUR' })).value).toMatchObject({
      taxPrice: 0.83,
      priceWithTax: 10.73,
      taxRates: [
        { name: 'District tax', percent: 1.125, amount: 0.11 },
        { name: 'State tax', percent: 7.25, amount: 0.72 },
      ],
      region: 'CA',
    });
    // Yen have no smaller unit.
    expect((await readQuote({ country: 'JP', currency: 'JPY', price: 1500 })).value).toMatchObject({
      taxPrice: 150,
      priceWithTax: 1650,
    });
  });

  test('a title has no tax in a place without rates, or in an unlisted region', async () => {
    expect((await readQuote({ country: 'DE' })).value).toMatchObject({
      taxPrice: 0,
      priceWithTax: 9.9,
      taxRates: [],
      country: 'DE',
    });
    expect((await readQuote({ country: 'US', region: 'other' })).value).toMatchObject({
      taxPrice: 0,
      taxRates: [],
      region: 'other',
    });
    expect((await readQuote({ country: 'US', region: 'OR' })).value).toMatchObject({
      taxPrice: 0,
      taxRates: [{ name: 'State tax', percent: 0, amount: 0 }],
    });
  });

  test('the tax call names the country or region as needed when it is missing', async () => {
    expect((await readQuote({})).value).toMatchObject({ needs: 'country', country: null, priceWithTax: 9.9 });
    const regions = [
      { code: 'CA', name: 'California' },
      { code: 'OR', name: 'Oregon' },
    ];
    expect((await readQuote({ country: 'US' })).value).toMatchObject({ needs: 'region', country: 'US', regions });
    expect((await readQuote({ country: 'US', region: 'NV' })).value).toMatchObject({ needs: 'region', regions });
  });

  test('the tax call applies a code’s discount, and refuses a wrong price, code or title', async () => {
    const code = await insertCode(shop, store, { grants: 'discount:50%' });
    expect((await readQuote({ country: 'FR', code, price: 4.95, currency: 'EUR' })).value).toMatchObject({
      price: 4.95,
      taxPrice: 0.27,
      priceWithTax: 5.22,
    });
    expect((await readQuote({ country: 'FR', price: 1, currency: 'EUR' })).value).toMatchObject({
      code: 'price_changed',
      price: 9.9,
    });
    expect((await readQuote({ country: 'FR', code: 'NOBODYS' })).value).toMatchObject({ code: 'code_misfit' });
    expect((await readQuote({ titleid: 'none' })).status).toBe(404);
    expect((await shop.call('tax', '/tax', { query: { shelfid: store, titleid: 'book' } })).status).toBe(401);
  });

  test('a title has no tax in a store without tax', async () => {
    const otherCustomer = await createCustomer(shop, await shop.store());
    expect((await readQuote({ country: 'FR' }, otherCustomer)).value).toMatchObject({
      taxPrice: 0,
      priceWithTax: 9.9,
      taxRates: [],
    });
    const { value } = await startSession({ country: 'FR' }, otherCustomer);
    expect(await selectTransaction(shop, value.transId)).toMatchObject({ amount_minor: 990, tax_minor: 0, tax: null });
  });
});

describe('paying with tax', () => {
  test('a payment charges the price with tax, and the ledger, the receipt and the e-mail show the tax', async () => {
    const transId = await authorize({
      country: 'US',
      region: 'CA',
      price: 9.9,
      currency: 'EUR',
      taxPrice: 0.83,
      priceWithTax: 10.73,
    });
    const taxRates = JSON.stringify([
      { name: 'District tax', percent: 1.125 },
      { name: 'State tax', percent: 7.25 },
    ]);
    const terms = {
      priceWithTax: 10.73,
      taxPrice: 0.83,
      taxRates,
      currency: 'EUR',
      country: 'US',
      cardCountry: 'US',
      cardState: 'CA',
    };
    expect((await confirmPurchase(transId, terms)).status).toBe(200);
    const row = await selectTransaction(shop, transId);
    expect(row).toMatchObject({ status: 'paid', amount_minor: 1073, tax_minor: 83, tax: { country: 'US', region: 'CA' } });
    expect(await readLedger(`payment ${transId}`)).toEqual([
      ['gateway', 1073],
      ['sales', -990],
      ['tax', -83],
    ]);
    expect(await readReceipt(transId)).toMatchObject({
      amount: 10.73,
      tax: 0.83,
      taxRates: [
        { name: 'District tax', percent: 1.125, amount: 0.11 },
        { name: 'State tax', percent: 7.25, amount: 0.72 },
      ],
    });
    const [message] = await readEmailsTo(shop, customer.email);
    for (const line of ['€9.90', 'District tax (1.125%): €0.11', 'State tax (7.25%): €0.72', 'Amount paid: €10.73'])
      expect(message?.text).toContain(line);
  });

  test.each([
    ['no country', {}, 'tax_place'],
    ['no region where the rates depend on one', { country: 'US' }, 'tax_place'],
    ['a region that does not exist', { country: 'US', region: 'NV' }, 'tax_place'],
    ['less tax', { country: 'FR', taxPrice: 0 }, 'price_changed'],
    ['another total', { country: 'FR', taxPrice: 0.54, priceWithTax: 9.9 }, 'price_changed'],
    ['another price', { country: 'FR', price: 0.9, currency: 'EUR' }, 'price_changed'],
    ['a currency without a price', { country: 'FR', price: 9.9, currency: 'USD' }, 'price_changed'],
  ] as const)('a session with %s is refused, and no payment starts', async (_, query, code) => {
    expect(await startSession(query)).toMatchObject({ status: 409, value: { code } });
    expect(await selectTransactions()).toEqual([]);
  });

  test.each([
    ['less tax', { taxPrice: 0 }],
    ['another total', { priceWithTax: 9.9 }],
    ['other rates', { taxRates: '[{"name":"TVA","percent":0}]' }],
    ['tax terms that cannot be parsed', { taxRates: 'TVA' }],
    ['another currency', { currency: 'JPY' }],
    ['another country', { country: 'DE' }],
    ['a card from another country', { cardCountry: 'DE' }],
    ['a card’s state', { cardState: 'CA' }],
  ])('an authorised payment that is confirmed with %s is not charged', async (_, terms) => {
    const transId = await authorize({ country: 'FR' });
    expect(await confirmPurchase(transId, terms)).toMatchObject({ status: 409, value: { code: 'price_changed' } });
    expect(await countCharges(shop, transId)).toBe(0);
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
  });

  test('a session from another place or at another rate starts another payment', async () => {
    const homeSession = await startSession({ country: 'FR' });
    const foreignSession = await startSession({ country: 'DE' });
    expect(foreignSession.value.transId).not.toBe(homeSession.value.transId);
    expect(await selectTransaction(shop, homeSession.value.transId)).toMatchObject({
      status: 'cancelled',
      reason: 'price_changed',
    });
    expect((await startSession({ country: 'DE' })).value.transId).toBe(foreignSession.value.transId);
    await runTaxOperation('set', { country: 'DE', name: 'MwSt.', percent: '7' });
    expect(await startSession({ country: 'DE', taxPrice: 0 })).toMatchObject({
      status: 409,
      value: { code: 'price_changed', price: 9.9, taxPrice: 0.69, priceWithTax: 10.59 },
    });
    expect((await startSession({ country: 'DE', taxPrice: 0.69 })).value.transId).not.toBe(foreignSession.value.transId);
    await runTaxOperation('remove', { country: 'DE', name: 'MwSt.' });
  });

  test('a purchase with a saved card is a single call with the same tax terms', async () => {
    const cardId = await saveCard(shop, customer);
    const query = { ...customer.query, titleId: 'book', cardId, Price: 9.9, currency: 'EUR', country: 'FR' };
    const buy = (terms: Query) => shop.call('purchaseTitle', '/purchase/title', { query: { ...query, ...terms } });
    expect(await buy({ taxPrice: 0.1 })).toMatchObject({ status: 409, value: { code: 'price_changed' } });
    expect(await buy({ taxPrice: 0.54, priceWithTax: 10.44 })).toMatchObject({ status: 200, value: { status: 'paid' } });
    expect(await selectTransactions()).toMatchObject([{ amount_minor: 1044, tax_minor: 54 }]);
  });

  test('gifts and carts are taxed as well, each title separately', async () => {
    expect(await startGiftSession(shop, customer, makeGift())).toMatchObject({ status: 409, value: { code: 'tax_place' } });
    const gift = (await startGiftSession(shop, customer, makeGift(), { country: 'FR', taxPrice: 0.54 })).value as Session;
    await submitCardForm(gift.url, CARD_NUMBERS.good);
    expect((await confirmPayment(shop, customer, gift.transId)).status).toBe(200);
    expect(await readLedger(`payment ${gift.transId}`)).toEqual([
      ['gateway', 1044],
      ['sales', -990],
      ['tax', -54],
    ]);
    await fillCart(shop, customer, ['book', 'film']);
    const requestCartSession = (query: Query) =>
      shop.call('cartSession', '/checkout/cart/session', { query: { ...customer.query, ...query } });
    expect(await requestCartSession({})).toMatchObject({ status: 409, value: { code: 'tax_place' } });
    expect(await requestCartSession({ country: 'FR', taxPrice: 0.74 })).toMatchObject({
      status: 409,
      value: { code: 'price_changed' },
    });
    // 5.5 % of 9.90 and of 3.50 are 0.5445 and 0.1925, each rounded to cents.
    const { transId, url } = (await requestCartSession({ country: 'FR', price: 13.4, taxPrice: 0.73 })).value as Session;
    await submitCardForm(url, CARD_NUMBERS.good);
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
    expect(await readReceipt(transId)).toMatchObject({
      amount: 14.13,
      tax: 0.73,
      titles: [{ amount: 3.5 }, { amount: 9.9 }],
    });
    const purchases = shop.db.selectFrom('purchases').selectAll().where('transaction_id', '=', transId).orderBy('title_id');
    expect((await purchases.execute()).map((row) => [row.title_id, row.amount_minor, row.tax_minor])).toEqual([
      ['book', 1044, 54],
      ['film', 369, 19],
    ]);
  });

  test('two partial refunds and the final one return exactly the tax that was paid', async () => {
    const transId = await authorize({ country: 'FR' });
    await confirmPayment(shop, customer, transId);
    await settleRefund({ db: shop.db, kinds: purchaseKinds }, await selectTransaction(shop, transId), 300);
    await settleRefund({ db: shop.db, kinds: purchaseKinds }, await selectTransaction(shop, transId), 500);
    await refund(shop, store, transId);
    expect(await readGatewayRefund(shop, transId)).toBe(1044);
    const sums = new Map<string, number>();
    for (const [account, amount] of await readLedger(`refund of ${transId}`))
      sums.set(String(account), (sums.get(String(account)) ?? 0) + Number(amount));
    expect(Object.fromEntries(sums)).toEqual({ gateway: -1044, refunds: 990, tax: 54 });
  });
});

describe('a store that sells to some countries', () => {
  let buyer: Customer;
  let frenchStore: string;
  beforeAll(async () => {
    frenchStore = await shop.store({ properties: { EnableTax: true, PurchaseCountries: ['FR'] } });
    await runTaxOperation('set', { country: 'FR', name: 'TVA', percent: '20' }, frenchStore);
    buyer = await createCustomer(shop, frenchStore);
  });

  test('a store that sells to one country needs no country, and refuses others', async () => {
    expect((await readQuote({}, buyer)).value).toMatchObject({ country: 'FR', countries: ['FR'], taxPrice: 1.98 });
    for (const country of ['US', 'DE']) {
      expect((await readQuote({ country }, buyer)).value).toMatchObject({ code: 'country_not_served' });
      expect((await startSession({ country }, buyer)).value).toMatchObject({ code: 'country_not_served' });
    }
    expect((await startSession({ country: 'FR' }, buyer)).status).toBe(200);
    // The store's only country does not pay in yen.
    expect(await startSession({ country: 'FR', price: 1500, currency: 'JPY' }, buyer)).toMatchObject({
      status: 409,
      value: { code: 'price_changed', price: 9.9, currency: 'EUR' },
    });
    expect((await readQuote({ currency: 'JPY', price: 1500 }, buyer)).value).toMatchObject({ code: 'price_changed' });
  });
});
