import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewCampaign } from '../../../server/setup/save-campaign.ts';
import { addTitle, startCartSession, cartCall, fillCart } from '../support/carts.ts';
import { makeCodeIn, readUsesLeft } from '../support/codes.ts';
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

const makeCode = (grants: string, more: object = {}) => makeCodeIn(shop, store, { grants, ...more });
const readCartWithCode = (code: string, more: Record<string, string> = {}) =>
  cartCall(shop, customer, 'cartTitles', { code, ...more });
const startSession = (code: string | undefined, shown: Record<string, string | number> = {}, who = customer) =>
  startCartSession(shop, who, { code, ...shown });
const selectTransaction = (id: string) =>
  shop.db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** A payment of the cart with a code, authorised by the customer's bank. */
const authorize = async (code: string, who = customer): Promise<string> => {
  const { value, text } = await startSession(code, {}, who);
  if ((value as Session).url === undefined) throw new Error(`No payment session: ${text}`);
  await submitCardForm((value as Session).url, CARD_NUMBERS.good);
  return (value as Session).transId;
};

describe('a discount code for a cart', () => {
  test('reduces each title that it applies to, by the shown price, and is used up by the capture', async () => {
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
    const begun = await startSession(code, { titleids: 'book,sound', price: 17.52, currency: 'EUR' });
    const { transId, url } = begun.value as Session;
    expect(await readUsesLeft(shop, code)).toBe(1);
    await submitCardForm(url, CARD_NUMBERS.good);
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
    expect(await selectTransaction(transId)).toMatchObject({ amount_minor: 1752, code, status: 'paid' });
    expect([await readUsesLeft(shop, code), await countCharges(shop, transId)]).toEqual([0, 1]);
    const receipt = await shop.ask('purchaseInfo', '/purchase/info', { query: { ...customer.query, transId } });
    expect(receipt.value).toMatchObject({ amount: 17.52, titles: [{ amount: 9.6 }, { amount: 7.92 }] });
  });

  test('for one title reduces only that one; rewards stay free, and a campaign’s price is reduced further', async () => {
    await addTitle(shop, customer, 'book');
    await addTitle(shop, customer, 'sound', { campaignId: 'spring' });
    await addTitle(shop, customer, 'film', { campaignId: 'spring' });
    const any = await readCartWithCode(await makeCode('discount:50%'));
    expect(any.value).toMatchObject({ Total: 8.95 });
    const one = await readCartWithCode(await makeCode('discount:50%:sound'));
    expect(one.value).toMatchObject({
      Total: 13.9,
      Lines: [
        { TitleId: 'film', Reward: true },
        { TitleId: 'sound', CampaignName: 'Spring', UsualPrices: [{ Amount: 8 }] },
        { TitleId: 'book' },
      ],
    });
    expect(JSON.stringify(one.value.Lines?.[2])).not.toContain('UsualPrices');
  });

  test('is applied to the cart in the response to a change', async () => {
    const code = await makeCode('discount:50%');
    expect((await addTitle(shop, customer, 'book', { code })).value).toMatchObject({ Total: 4.95 });
    expect((await addTitle(shop, customer, 'sound', { code })).value).toMatchObject({ Total: 10.95 });
    expect((await cartCall(shop, customer, 'removeFromCart', { titleId: 'book', code })).value).toMatchObject({ Total: 6 });
    expect((await cartCall(shop, customer, 'removeCampaign', { campaignId: 'spring', code })).value).toMatchObject({ Total: 6 });
  });
});

describe('a code is refused', () => {
  test.each([
    ['that is unknown', async () => 'NOBODY-HAS-IT', 'code_unknown'],
    ['that is used up', () => makeCode('discount:20%', { usesLeft: 0 }), 'code_used'],
    ['that has expired', () => makeCode('discount:20%', { expiresAt: new Date(0) }), 'code_expired'],
    ['that discounts a title outside the cart', () => makeCode('discount:20%:film'), 'code_misfit'],
    ['that discounts a free title', () => makeCode('discount:20%:gratis'), 'code_misfit'],
    ['that grants credits', () => makeCode('credits:3'), 'code_misfit'],
    ['that grants a title for free', () => makeCode('title:book'), 'code_misfit'],
  ])('%s', async (_what, codeFor, says) => {
    await fillCart(shop, customer, ['book', 'gratis']);
    const code = await codeFor();
    expect(await readCartWithCode(code)).toMatchObject({ status: 409, value: { Code: says } });
    expect(await startSession(code)).toMatchObject({ status: 409, value: { code: says } });
    expect(await shop.db.selectFrom('transactions').select('id').where('user_id', '=', customer.id).execute()).toEqual([]);
    // Without the code the cart can be paid for.
    expect((await startSession(undefined)).status).toBe(200);
  });

  test('that the customer has used before', async () => {
    const code = await makeCode('discount:20%', { uses: 9 });
    await fillCart(shop, customer, ['book']);
    await confirmPayment(shop, customer, await authorize(code));
    await fillCart(shop, customer, ['sound']);
    expect((await readCartWithCode(code)).value).toMatchObject({ Code: 'code_used' });
    expect(await readUsesLeft(shop, code)).toBe(8);
  });
});

describe('a code is used exactly once', () => {
  test('fifty customers pay with one code at once: one is charged, the others are not', async () => {
    const code = await makeCode('discount:20%');
    const begun: { who: Customer; transId: string }[] = [];
    for (let at = 0; at < 50; at += 1) {
      const who = await createCustomer(shop, store);
      await fillCart(shop, who, ['book', 'sound']);
      begun.push({ who, transId: await authorize(code, who) });
    }
    const answers = await Promise.all(begun.map(({ who, transId }) => confirmPayment(shop, who, transId)));
    const paid = answers.filter(({ status }) => status === 200);
    expect(paid).toHaveLength(1);
    // On a busy machine the gateway may be too late to confirm that it released the reserved money.
    const refusals = answers.filter(({ status }) => status !== 200).map(({ value }) => (value as { code?: string }).code ?? '');
    for (const code of refusals) expect(['code_used', 'payment_unknown']).toContain(code);
    const charges = await Promise.all(begun.map(({ transId }) => countCharges(shop, transId)));
    expect(charges.reduce((sum, each) => sum + each, 0)).toBe(1);
    expect(await readUsesLeft(shop, code)).toBe(0);
  });

  test('fifty confirmations of one payment use it once', async () => {
    const code = await makeCode('discount:20%', { uses: 9 });
    await fillCart(shop, customer, ['book', 'sound']);
    const transId = await authorize(code);
    const answers = await Promise.all(Array.from({ length: 50 }, () => confirmPayment(shop, customer, transId)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect([await readUsesLeft(shop, code), await countCharges(shop, transId)]).toEqual([8, 1]);
  });

  test('a payment that fails returns the code', async () => {
    const code = await makeCode('discount:20%');
    await fillCart(shop, customer, ['book', 'sound']);
    const transId = await authorize(code);
    // Bought separately in the meantime: the cart's payment is released.
    const other = await shop.ask('paymentSession', '/payment/session', { query: { ...customer.query, titleId: 'book' } });
    await submitCardForm((other.value as Session).url, CARD_NUMBERS.good);
    await confirmPayment(shop, customer, (other.value as Session).transId);
    expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ code: 'already_owned' });
    expect(await readUsesLeft(shop, code)).toBe(1);
    expect((await readCartWithCode(code)).value).toMatchObject({ Total: 9.6 });
  });
});
