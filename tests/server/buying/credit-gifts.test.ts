import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bookCredits } from '../../../server/subscriptions/credits.ts';
import { redeemTitle } from '../support/codes.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { authorizeGift, codeInEmail, makeGift, type GiftInfo, readGifts, emailsOf } from '../support/gifts.ts';
import { countCharges, confirmPayment, countHoldings, readSessionStatus } from '../support/paying.ts';
import { refund } from '../support/refunds.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { makeStore } from '../support/stores.ts';

/** The usual titles; one has a price in credits as well. */
const titles = () => (makeStore('any').titles ?? []).map((title) => (title.id === 'book' ? { ...title, credits: 2 } : title));

let shop: Shop;
let store: string;
let giver: Customer;
let gift: GiftInfo & { GiftId: string };
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({
    properties: { EnableBuyWithCredits: true, EnableGiftingTitle: true, CreditCurrency: 'Credits' },
    titles: titles(),
  });
});
beforeEach(async () => {
  giver = await createCustomer(shop, store);
  gift = makeGift();
  await bookCredits(shop.db, { storeId: store, userId: giver.id }, { cause: 'given', amount: 5 });
});
afterAll(() => shop.close());

const giveForCredits = (giftInfo: object = gift, part: object = {}) =>
  shop.ask('buyWithCredits', '/purchase/credits', {
    query: giver.query,
    body: { titleId: 'book', credits: 2, creditCurrency: 'Credits', giftInfo, ...part },
  });
const balance = async ({ query }: Customer) =>
  ((await shop.ask('creditBalance', '/credits/balance', { query })).value as { CreditBalance: number }).CreditBalance;
const readReceipt = async (transId: string) =>
  (await shop.ask('purchaseInfo', '/purchase/info', { query: { ...giver.query, transId, isgift: true } })).value;

test('a gift is bought with credits: its e-mail is sent, and the receipt is in credits', async () => {
  const { value } = await giveForCredits();
  expect(value).toEqual({ transId: gift.GiftId, titleId: 'book', instanceId: gift.GiftId, status: 'paid' });
  expect(await balance(giver)).toBe(3);
  expect(await readReceipt(gift.GiftId)).toMatchObject({ amount: 0, credits: 2, isGift: true, gift: { recipientName: 'Bo' } });
  expect(await countHoldings(shop, giver, 'book')).toMatchObject({ copies: 0 });
  const [message] = await emailsOf(shop, gift);
  expect(await readGifts(shop, giver)).toMatchObject([{ status: 'sent', titleId: 'book', transId: gift.GiftId }]);
  const friend = await createCustomer(shop, store);
  expect((await redeemTitle(shop, friend, codeInEmail(message))).status).toBe(200);
});

test('an owner of the title can give it, and give it twice', async () => {
  await shop.ask('buyWithCredits', '/purchase/credits', {
    query: giver.query,
    body: { titleId: 'book', credits: 2, creditCurrency: 'Credits' },
  });
  expect((await giveForCredits()).status).toBe(200);
  expect(await balance(giver)).toBe(1);
  expect((await giveForCredits(makeGift())).value).toMatchObject({ status: 402, code: 'insufficient_credits' });
});

test('fifty requests at once are one gift, paid with credits once', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => giveForCredits()));
  for (const { value } of answers) expect(value).toEqual(answers[0]?.value);
  expect([await balance(giver), (await emailsOf(shop, gift)).length]).toEqual([3, 1]);
  // A repeated request with another price does not change the gift either.
  expect((await giveForCredits(gift, { credits: 9 })).status).toBe(200);
});

test('gifts given at the same time never spend more credits than the balance', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => giveForCredits(makeGift())));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(await balance(giver)).toBe(1);
});

test.each([
  ['another number', { credits: 1 }, 'price_changed'],
  ['another currency', { creditCurrency: 'Points' }, 'price_changed'],
  ['a title without a price in credits', { titleId: 'sound' }, 'not_for_sale'],
])('%s is refused', async (_what, part, code) => {
  expect((await giveForCredits(gift, part)).value).toMatchObject({ status: 409, code });
  expect([await balance(giver), await readGifts(shop, giver)]).toEqual([5, []]);
});

test('a money payment started for the same gift is released, and never charged in addition to the credits', async () => {
  const { transId } = await authorizeGift(shop, giver, gift);
  expect((await giveForCredits()).status).toBe(200);
  expect(await readSessionStatus(shop, giver, transId)).toMatchObject({ status: 'cancelled' });
  expect((await confirmPayment(shop, giver, transId)).status).toBe(409);
  expect([await countCharges(shop, transId), await balance(giver), (await emailsOf(shop, gift)).length]).toEqual([0, 3, 1]);
});

test('of money and credits at the same time, only one pays', async () => {
  const { transId } = await authorizeGift(shop, giver, gift);
  const [money] = await Promise.all([
    confirmPayment(shop, giver, transId),
    ...Array.from({ length: 10 }, () => giveForCredits()),
  ]);
  const spent = 5 - (await balance(giver));
  expect([await countCharges(shop, transId), spent]).toEqual(money?.status === 200 ? [1, 0] : [0, 2]);
  expect(await emailsOf(shop, gift)).toHaveLength(1);
});

test('an unopened gift is refunded with its credits; an opened one is not refunded', async () => {
  await giveForCredits();
  const [, done] = [await refund(shop, store, gift.GiftId, { dryRun: true }), await refund(shop, store, gift.GiftId)];
  expect(done.says).toMatch(/^2 credits .* were refunded/);
  expect([await balance(giver), await readGifts(shop, giver)]).toMatchObject([5, [{ status: 'refunded' }]]);
  expect((await refund(shop, store, gift.GiftId)).says).toContain('were already refunded');
  expect(await balance(giver)).toBe(5);

  const second = makeGift();
  await giveForCredits(second);
  const friend = await createCustomer(shop, store);
  await redeemTitle(shop, friend, codeInEmail((await emailsOf(shop, second))[0]));
  await expect(refund(shop, store, second.GiftId)).rejects.toThrow(/has been opened/);
  await expect(refund(shop, store, second.GiftId, { dryRun: true })).rejects.toThrow(/has been opened/);
  expect(await balance(giver)).toBe(3);
});

test('a store without gifts refuses them', async () => {
  const other = await shop.store({ properties: { EnableBuyWithCredits: true, CreditCurrency: 'Credits' }, titles: titles() });
  const customer = await createCustomer(shop, other);
  const answer = await shop.ask('buyWithCredits', '/purchase/credits', {
    query: customer.query,
    body: { titleId: 'book', credits: 2, creditCurrency: 'Credits', giftInfo: gift },
  });
  expect(answer.value).toMatchObject({ status: 409, code: 'gifting_off' });
});
