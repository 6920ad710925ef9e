import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bookCredits } from '../../../server/subscriptions/credits.ts';
import { redeemTitle } from '../support/codes.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { authorizedGift, codeInLetter, giftFor, type GiftInfo, giftsOf, lettersOf } from '../support/gifts.ts';
import { chargesOf, confirm, holdings, statusOf } from '../support/paying.ts';
import { refund } from '../support/refunds.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { storeOf } from '../support/stores.ts';

/** The usual titles; one costs credits as well. */
const titles = () => (storeOf('any').titles ?? []).map((title) => (title.id === 'book' ? { ...title, credits: 2 } : title));

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
  giver = await customerOf(shop, store);
  gift = giftFor();
  await bookCredits(shop.db, { storeId: store, userId: giver.id }, { cause: 'given', amount: 5 });
});
afterAll(() => shop.close());

const give = (giftInfo: object = gift, part: object = {}) =>
  shop.ask('buyWithCredits', '/purchase/credits', {
    query: giver.query,
    body: { titleId: 'book', credits: 2, creditCurrency: 'Credits', giftInfo, ...part },
  });
const balance = async ({ query }: Customer) =>
  ((await shop.ask('creditBalance', '/credits/balance', { query })).value as { CreditBalance: number }).CreditBalance;
const receiptOf = async (transId: string) =>
  (await shop.ask('purchaseInfo', '/purchase/info', { query: { ...giver.query, transId, isgift: true } })).value;

test('a title is given for credits: a letter brings it, and the receipt is in credits', async () => {
  const { value } = await give();
  expect(value).toEqual({ transId: gift.GiftId, titleId: 'book', instanceId: gift.GiftId, status: 'paid' });
  expect(await balance(giver)).toBe(3);
  expect(await receiptOf(gift.GiftId)).toMatchObject({ amount: 0, credits: 2, isGift: true, gift: { recipientName: 'Bo' } });
  expect(await holdings(shop, giver, 'book')).toMatchObject({ copies: 0 });
  const [letter] = await lettersOf(shop, gift);
  expect(await giftsOf(shop, giver)).toMatchObject([{ status: 'sent', titleId: 'book', transId: gift.GiftId }]);
  const friend = await customerOf(shop, store);
  expect((await redeemTitle(shop, friend, codeInLetter(letter))).status).toBe(200);
});

test('who owns it gives it all the same, and twice', async () => {
  await shop.ask('buyWithCredits', '/purchase/credits', {
    query: giver.query,
    body: { titleId: 'book', credits: 2, creditCurrency: 'Credits' },
  });
  expect((await give()).status).toBe(200);
  expect(await balance(giver)).toBe(1);
  expect((await give(giftFor())).value).toMatchObject({ status: 402, code: 'insufficient_credits' });
});

test('asked fifty times at once it is one gift, for its credits once', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => give()));
  for (const { value } of answers) expect(value).toEqual(answers[0]?.value);
  expect([await balance(giver), (await lettersOf(shop, gift)).length]).toEqual([3, 1]);
  // Neither does another price change what was given.
  expect((await give(gift, { credits: 9 })).status).toBe(200);
});

test('two gifts at once never take more than there is', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => give(giftFor())));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(await balance(giver)).toBe(1);
});

test.each([
  ['another number', { credits: 1 }, 'price_changed'],
  ['another currency', { creditCurrency: 'Points' }, 'price_changed'],
  ['a title that has no price in credits', { titleId: 'sound' }, 'not_for_sale'],
])('%s is refused', async (_what, part, code) => {
  expect((await give(gift, part)).value).toMatchObject({ status: 409, code });
  expect([await balance(giver), await giftsOf(shop, giver)]).toEqual([5, []]);
});

test('money that was begun for the same gift is released, and never charged beside the credits', async () => {
  const { transId } = await authorizedGift(shop, giver, gift);
  expect((await give()).status).toBe(200);
  expect(await statusOf(shop, giver, transId)).toMatchObject({ status: 'cancelled' });
  expect((await confirm(shop, giver, transId)).status).toBe(409);
  expect([await chargesOf(shop, transId), await balance(giver), (await lettersOf(shop, gift)).length]).toEqual([0, 3, 1]);
});

test('of money and credits at the same moment one pays', async () => {
  const { transId } = await authorizedGift(shop, giver, gift);
  const [money] = await Promise.all([confirm(shop, giver, transId), ...Array.from({ length: 10 }, () => give())]);
  const spent = 5 - (await balance(giver));
  expect([await chargesOf(shop, transId), spent]).toEqual(money?.status === 200 ? [1, 0] : [0, 2]);
  expect(await lettersOf(shop, gift)).toHaveLength(1);
});

test('one that nobody has opened goes back with its credits; one that was opened is kept', async () => {
  await give();
  const [, done] = [await refund(shop, store, gift.GiftId, { dryRun: true }), await refund(shop, store, gift.GiftId)];
  expect(done.says).toMatch(/^2 credits .* went back/);
  expect([await balance(giver), await giftsOf(shop, giver)]).toMatchObject([5, [{ status: 'refunded' }]]);
  expect((await refund(shop, store, gift.GiftId)).says).toContain('went back before');
  expect(await balance(giver)).toBe(5);

  const second = giftFor();
  await give(second);
  const friend = await customerOf(shop, store);
  await redeemTitle(shop, friend, codeInLetter((await lettersOf(shop, second))[0]));
  await expect(refund(shop, store, second.GiftId)).rejects.toThrow(/has been opened/);
  await expect(refund(shop, store, second.GiftId, { dryRun: true })).rejects.toThrow(/has been opened/);
  expect(await balance(giver)).toBe(3);
});

test('a store without gifts gives none', async () => {
  const other = await shop.store({ properties: { EnableBuyWithCredits: true, CreditCurrency: 'Credits' }, titles: titles() });
  const customer = await customerOf(shop, other);
  const answer = await shop.ask('buyWithCredits', '/purchase/credits', {
    query: customer.query,
    body: { titleId: 'book', credits: 2, creditCurrency: 'Credits', giftInfo: gift },
  });
  expect(answer.value).toMatchObject({ status: 409, code: 'gifting_off' });
});
