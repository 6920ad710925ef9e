import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewCampaign } from '../../../server/setup/save-campaign.ts';
import { addTitle, startCartSession, callCart, fillCart } from '../support/carts.ts';
import { insertCode, readUsesLeft } from '../support/codes.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { CARD_NUMBERS, countCharges, confirmPayment, submitCardForm, type Session } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

const spring: NewCampaign = {
  id: 'spring',
  name: 'Spring',
  html: '',
  endsAt: new Date(Date.now() + 86_400_000),
  buy: 1,
  pick: 1,
  titles: [{ id: 'sound', amount: 8, currency: 'EUR' }],
  rewards: ['film'],
};

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({ campaigns: [spring] });
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterAll(() => shop.close());

const makeCode = (grants: string, options: object = {}) => insertCode(shop, store, { grants, ...options });
const readCartWithCode = (code: string, query: Record<string, string> = {}) =>
  callCart(shop, customer, 'cartTitles', { code, ...query });
const startSession = (code: string | undefined, query: Record<string, string | number> = {}, buyer = customer) =>
  startCartSession(shop, buyer, { code, ...query });
const selectTransaction = (id: string) =>
  shop.db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Starts a payment of the cart with a code and authorises it. @returns the transaction's id */
const authorize = async (code: string, buyer = customer): Promise<string> => {
  const { status, value, text } = await startSession(code, {}, buyer);
  if ((value as Session).url === undefined) throw new Error(`No payment session: HTTP ${status} ${text}`);
  await submitCardForm((value as Session).url, CARD_NUMBERS.good);
  return (value as Session).transId;
};

describe('discounts', () => {
  test('a discount code for a cart reduces its paid titles, and is used up when the payment is confirmed', async () => {
    await fillCart(shop, customer, ['book', 'sound', 'gratis']);
    const code = await makeCode('discount:20%');
    const { value } = await readCartWithCode(code);
    expect(value).toMatchObject({
      Total: 17.52,
      Lines: [
        { TitleId: 'gratis' },
        { TitleId: 'sound', UsualPrices: [{ Amount: 12, Currency: 'EUR' }] },
        { TitleId: 'book', UsualPrices: [{ Amount: 9.9 }, { Amount: 1500, Currency: 'JPY' }] },
      ],
      Titles: [{ TitleId: 'gratis' }, { Prices: [{ Amount: 9.6 }] }, { Prices: [{ Amount: 7.92 }, { Amount: 1200 }] }],
    });
    expect((value.Lines?.[0] as object | undefined) ?? {}).not.toHaveProperty('UsualPrices');
    expect((await startSession(code, { price: 21.9, currency: 'EUR' })).value).toMatchObject({
      code: 'price_changed',
      price: 17.52,
    });
    const sessionResponse = await startSession(code, { titleids: 'book,sound', price: 17.52, currency: 'EUR' });
    const { transId, url } = sessionResponse.value as Session;
    expect(await readUsesLeft(shop, code)).toBe(1);
    await submitCardForm(url, CARD_NUMBERS.good);
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
    expect(await selectTransaction(transId)).toMatchObject({ amount_minor: 1752, code, status: 'paid' });
    expect([await readUsesLeft(shop, code), await countCharges(shop, transId)]).toEqual([0, 1]);
    const receipt = await shop.call('purchaseInfo', '/purchase/info', { query: { ...customer.query, transId } });
    expect(receipt.value).toMatchObject({ amount: 17.52, titles: [{ amount: 9.6 }, { amount: 7.92 }] });
  });

  test('a discount code for one title reduces only that title, and also below its campaign price', async () => {
    await addTitle(shop, customer, 'book');
    await addTitle(shop, customer, 'sound', { campaignId: 'spring' });
    await addTitle(shop, customer, 'film', { campaignId: 'spring' });
    const cartWithGeneralCode = await readCartWithCode(await makeCode('discount:50%'));
    expect(cartWithGeneralCode.value).toMatchObject({ Total: 8.95 });
    const cartWithTitleCode = await readCartWithCode(await makeCode('discount:50%:sound'));
    expect(cartWithTitleCode.value).toMatchObject({
      Total: 13.9,
      Lines: [
        { TitleId: 'film', Reward: true },
        { TitleId: 'sound', CampaignName: 'Spring', UsualPrices: [{ Amount: 8 }] },
        { TitleId: 'book' },
      ],
    });
    expect(JSON.stringify(cartWithTitleCode.value.Lines?.[2])).not.toContain('UsualPrices');
  });

  test('the response to a change of the cart has the total after the discount code', async () => {
    const code = await makeCode('discount:50%');
    expect((await addTitle(shop, customer, 'book', { code })).value).toMatchObject({ Total: 4.95 });
    expect((await addTitle(shop, customer, 'sound', { code })).value).toMatchObject({ Total: 10.95 });
    expect((await callCart(shop, customer, 'removeFromCart', { titleId: 'book', code })).value).toMatchObject({ Total: 6 });
    expect((await callCart(shop, customer, 'removeCampaign', { campaignId: 'spring', code })).value).toMatchObject({ Total: 6 });
  });
});

describe('refused codes', () => {
  test.each([
    ['is unknown', async () => 'NOBODY-HAS-IT', 'code_unknown'],
    ['is used up', () => makeCode('discount:20%', { usesLeft: 0 }), 'code_used'],
    ['has expired', () => makeCode('discount:20%', { expiresAt: new Date(0) }), 'code_expired'],
    ['discounts a title outside the cart', () => makeCode('discount:20%:film'), 'code_misfit'],
    ['discounts a free title', () => makeCode('discount:20%:gratis'), 'code_misfit'],
    ['grants credits', () => makeCode('credits:3'), 'code_misfit'],
    ['grants a title for free', () => makeCode('title:book'), 'code_misfit'],
  ])('a code for the cart is refused when it %s', async (_case, createCode, expectedCode) => {
    await fillCart(shop, customer, ['book', 'gratis']);
    const code = await createCode();
    expect(await readCartWithCode(code)).toMatchObject({ status: 409, value: { Code: expectedCode } });
    expect(await startSession(code)).toMatchObject({ status: 409, value: { code: expectedCode } });
    expect(await shop.db.selectFrom('transactions').select('id').where('user_id', '=', customer.id).execute()).toEqual([]);
    // Without the code the cart can be paid for.
    expect((await startSession(undefined)).status).toBe(200);
  });

  test('a code for the cart is refused when the customer has used it before', async () => {
    const code = await makeCode('discount:20%', { uses: 9 });
    await fillCart(shop, customer, ['book']);
    await confirmPayment(shop, customer, await authorize(code));
    await fillCart(shop, customer, ['sound']);
    expect((await readCartWithCode(code)).value).toMatchObject({ Code: 'code_used' });
    expect(await readUsesLeft(shop, code)).toBe(8);
  });
});

describe('uses of a code', () => {
  test('of fifty customers who pay with a code for one use at once, only one is charged', async () => {
    const code = await makeCode('discount:20%');
    const payments: { buyer: Customer; transId: string }[] = [];
    for (let index = 0; index < 50; index += 1) {
      const buyer = await createCustomer(shop, store);
      await fillCart(shop, buyer, ['book', 'sound']);
      payments.push({ buyer, transId: await authorize(code, buyer) });
    }
    const responses = await Promise.all(payments.map(({ buyer, transId }) => confirmPayment(shop, buyer, transId)));
    const paidResponses = responses.filter(({ status }) => status === 200);
    expect(paidResponses).toHaveLength(1);
    // On a busy machine the gateway may be too late to confirm that it released the reserved money.
    const refusalCodes = responses
      .filter(({ status }) => status !== 200)
      .map(({ value }) => (value as { code?: string }).code ?? '');
    for (const refusalCode of refusalCodes) expect(['code_used', 'payment_unknown']).toContain(refusalCode);
    const chargeCounts = await Promise.all(payments.map(({ transId }) => countCharges(shop, transId)));
    expect(chargeCounts.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await readUsesLeft(shop, code)).toBe(0);
  });

  test('fifty confirmations of one payment use its code once', async () => {
    const code = await makeCode('discount:20%', { uses: 9 });
    await fillCart(shop, customer, ['book', 'sound']);
    const transId = await authorize(code);
    const responses = await Promise.all(Array.from({ length: 50 }, () => confirmPayment(shop, customer, transId)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect([await readUsesLeft(shop, code), await countCharges(shop, transId)]).toEqual([8, 1]);
  });

  test('a cart’s code can be used again after its payment has failed', async () => {
    const code = await makeCode('discount:20%');
    await fillCart(shop, customer, ['book', 'sound']);
    const transId = await authorize(code);
    // The customer buys one of the titles separately, so that the cart's payment is released.
    const bookSession = await shop.call('paymentSession', '/payment/session', { query: { ...customer.query, titleId: 'book' } });
    await submitCardForm((bookSession.value as Session).url, CARD_NUMBERS.good);
    await confirmPayment(shop, customer, (bookSession.value as Session).transId);
    expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ code: 'already_owned' });
    expect(await readUsesLeft(shop, code)).toBe(1);
    expect((await readCartWithCode(code)).value).toMatchObject({ Total: 9.6 });
  });
});
