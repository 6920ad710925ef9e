import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewCampaign } from '../../../server/setup/save-campaign.ts';
import { add, beginCart, cartCall, fill } from '../support/carts.ts';
import { codeIn, usesLeft } from '../support/codes.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { CARDS, chargesOf, confirm, pay, type Session } from '../support/paying.ts';
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
  customer = await customerOf(shop, store);
});
afterAll(() => shop.close());

const made = (grants: string, more: object = {}) => codeIn(shop, store, { grants, ...more });
const cartWith = (code: string, more: Record<string, string> = {}) => cartCall(shop, customer, 'cartTitles', { code, ...more });
const begin = (code: string | undefined, shown: Record<string, string | number> = {}, who = customer) =>
  beginCart(shop, who, { code, ...shown });
const rowOf = (id: string) => shop.db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** A payment of the cart with a code that the customer's bank has authorised. */
const authorize = async (code: string, who = customer): Promise<string> => {
  const { value, text } = await begin(code, {}, who);
  if ((value as Session).url === undefined) throw new Error(`No session: ${text}`);
  await pay((value as Session).url, CARDS.good);
  return (value as Session).transId;
};

describe('a code makes a cart cheaper', () => {
  test('each title that it is for, by what is shown, and is used up by the capture', async () => {
    await fill(shop, customer, ['book', 'sound', 'gratis']);
    const code = await made('discount:20%');
    const { value } = await cartWith(code);
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
    expect((await begin(code, { price: 21.9, currency: 'EUR' })).value).toMatchObject({ code: 'price_changed', price: 17.52 });
    const begun = await begin(code, { titleids: 'book,sound', price: 17.52, currency: 'EUR' });
    const { transId, url } = begun.value as Session;
    expect(await usesLeft(shop, code)).toBe(1);
    await pay(url, CARDS.good);
    expect((await confirm(shop, customer, transId)).status).toBe(200);
    expect(await rowOf(transId)).toMatchObject({ amount_minor: 1752, code, status: 'paid' });
    expect([await usesLeft(shop, code), await chargesOf(shop, transId)]).toEqual([0, 1]);
    const receipt = await shop.ask('purchaseInfo', '/purchase/info', { query: { ...customer.query, transId } });
    expect(receipt.value).toMatchObject({ amount: 17.52, titles: [{ amount: 9.6 }, { amount: 7.92 }] });
  });

  test('of one title, that one; what comes as a reward costs nothing as before, and a campaign’s price is what it comes off', async () => {
    await add(shop, customer, 'book');
    await add(shop, customer, 'sound', { campaignId: 'spring' });
    await add(shop, customer, 'film', { campaignId: 'spring' });
    const any = await cartWith(await made('discount:50%'));
    expect(any.value).toMatchObject({ Total: 8.95 });
    const one = await cartWith(await made('discount:50%:sound'));
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

  test('the cart that is changed is answered with it', async () => {
    const code = await made('discount:50%');
    expect((await add(shop, customer, 'book', { code })).value).toMatchObject({ Total: 4.95 });
    expect((await add(shop, customer, 'sound', { code })).value).toMatchObject({ Total: 10.95 });
    expect((await cartCall(shop, customer, 'removeFromCart', { titleId: 'book', code })).value).toMatchObject({ Total: 6 });
    expect((await cartCall(shop, customer, 'removeCampaign', { campaignId: 'spring', code })).value).toMatchObject({ Total: 6 });
  });
});

describe('why it takes nothing off', () => {
  test.each([
    ['unknown', async () => 'NOBODY-HAS-IT', 'code_unknown'],
    ['used up', () => made('discount:20%', { usesLeft: 0 }), 'code_used'],
    ['expired', () => made('discount:20%', { expiresAt: new Date(0) }), 'code_expired'],
    ['for a title that is not in it', () => made('discount:20%:film'), 'code_misfit'],
    ['for a title that is not paid for', () => made('discount:20%:gratis'), 'code_misfit'],
    ['for credits', () => made('credits:3'), 'code_misfit'],
    ['for a title to be had for nothing', () => made('title:book'), 'code_misfit'],
  ])('%s', async (_what, codeFor, says) => {
    await fill(shop, customer, ['book', 'gratis']);
    const code = await codeFor();
    expect(await cartWith(code)).toMatchObject({ status: 409, value: { Code: says } });
    expect(await begin(code)).toMatchObject({ status: 409, value: { code: says } });
    expect(await shop.db.selectFrom('transactions').select('id').where('user_id', '=', customer.id).execute()).toEqual([]);
    // The cart is paid for without it.
    expect((await begin(undefined)).status).toBe(200);
  });

  test('used by the customer before', async () => {
    const code = await made('discount:20%', { uses: 9 });
    await fill(shop, customer, ['book']);
    await confirm(shop, customer, await authorize(code));
    await fill(shop, customer, ['sound']);
    expect((await cartWith(code)).value).toMatchObject({ Code: 'code_used' });
    expect(await usesLeft(shop, code)).toBe(8);
  });
});

describe('exactly once', () => {
  test('of fifty customers who pay with one code, one does; nobody else is charged', async () => {
    const code = await made('discount:20%');
    const begun: { who: Customer; transId: string }[] = [];
    for (let at = 0; at < 50; at += 1) {
      const who = await customerOf(shop, store);
      await fill(shop, who, ['book', 'sound']);
      begun.push({ who, transId: await authorize(code, who) });
    }
    const answers = await Promise.all(begun.map(({ who, transId }) => confirm(shop, who, transId)));
    const paid = answers.filter(({ status }) => status === 200);
    expect(paid).toHaveLength(1);
    // On a busy machine the gateway may not say in time that it has released what was reserved.
    const refusals = answers.filter(({ status }) => status !== 200).map(({ value }) => (value as { code?: string }).code ?? '');
    for (const code of refusals) expect(['code_used', 'payment_unknown']).toContain(code);
    const charges = await Promise.all(begun.map(({ transId }) => chargesOf(shop, transId)));
    expect(charges.reduce((sum, each) => sum + each, 0)).toBe(1);
    expect(await usesLeft(shop, code)).toBe(0);
  });

  test('fifty confirmations of one payment use it once', async () => {
    const code = await made('discount:20%', { uses: 9 });
    await fill(shop, customer, ['book', 'sound']);
    const transId = await authorize(code);
    const answers = await Promise.all(Array.from({ length: 50 }, () => confirm(shop, customer, transId)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect([await usesLeft(shop, code), await chargesOf(shop, transId)]).toEqual([8, 1]);
  });

  test('a payment that comes to nothing gives it back', async () => {
    const code = await made('discount:20%');
    await fill(shop, customer, ['book', 'sound']);
    const transId = await authorize(code);
    // Bought elsewhere meanwhile: the cart's payment is released.
    const other = await shop.ask('paymentSession', '/payment/session', { query: { ...customer.query, titleId: 'book' } });
    await pay((other.value as Session).url, CARDS.good);
    await confirm(shop, customer, (other.value as Session).transId);
    expect((await confirm(shop, customer, transId)).value).toMatchObject({ code: 'already_owned' });
    expect(await usesLeft(shop, code)).toBe(1);
    expect((await cartWith(code)).value).toMatchObject({ Total: 9.6 });
  });
});
