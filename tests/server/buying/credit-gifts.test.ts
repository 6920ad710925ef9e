import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bookCredits } from '../../../server/subscriptions/credits.ts';
import { redeemTitle } from '../support/codes.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { authorizeGift, getCodeFromEmail, makeGift, type GiftInfo, readGifts, readGiftEmails } from '../support/gifts.ts';
import { countCharges, confirmPayment, countHoldings, readSessionStatus } from '../support/paying.ts';
import { refund } from '../support/refunds.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { makeStore } from '../support/stores.ts';

/** The default titles; “book” has a price in credits as well. */
const makeTitles = () => (makeStore('any').titles ?? []).map((title) => (title.id === 'book' ? { ...title, credits: 2 } : title));

let shop: Shop;
let store: string;
let giver: Customer;
let gift: GiftInfo & { GiftId: string };
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({
    properties: { EnableBuyWithCredits: true, EnableGiftingTitle: true, CreditCurrency: 'Credits' },
    titles: makeTitles(),
  });
});
beforeEach(async () => {
  giver = await createCustomer(shop, store);
  gift = makeGift();
  await bookCredits(shop.db, { storeId: store, userId: giver.id }, { cause: 'given', amount: 5 });
});
afterAll(() => shop.close());

const giveForCredits = (giftInfo: object = gift, bodyOverrides: object = {}) =>
  shop.call('buyWithCredits', '/purchase/credits', {
    query: giver.query,
    body: { titleId: 'book', credits: 2, creditCurrency: 'Credits', giftInfo, ...bodyOverrides },
  });
const readBalance = async ({ query }: Customer) =>
  ((await shop.call('creditBalance', '/credits/balance', { query })).value as { CreditBalance: number }).CreditBalance;
const readReceipt = async (transId: string) =>
  (await shop.call('purchaseInfo', '/purchase/info', { query: { ...giver.query, transId, isgift: true } })).value;

test('a gift is bought with credits: its e-mail is sent, and the receipt is in credits', async () => {
  const { value } = await giveForCredits();
  expect(value).toEqual({ transId: gift.GiftId, titleId: 'book', instanceId: gift.GiftId, status: 'paid' });
  expect(await readBalance(giver)).toBe(3);
  expect(await readReceipt(gift.GiftId)).toMatchObject({ amount: 0, credits: 2, isGift: true, gift: { recipientName: 'Bo' } });
  expect(await countHoldings(shop, giver, 'book')).toMatchObject({ copies: 0 });
  const [message] = await readGiftEmails(shop, gift);
  expect(await readGifts(shop, giver)).toMatchObject([{ status: 'sent', titleId: 'book', transId: gift.GiftId }]);
  const friend = await createCustomer(shop, store);
  expect((await redeemTitle(shop, friend, getCodeFromEmail(message))).status).toBe(200);
});

test('an owner of a title can give it for credits, as often as the credits suffice', async () => {
  await shop.call('buyWithCredits', '/purchase/credits', {
    query: giver.query,
    body: { titleId: 'book', credits: 2, creditCurrency: 'Credits' },
  });
  expect((await giveForCredits()).status).toBe(200);
  expect(await readBalance(giver)).toBe(1);
  expect((await giveForCredits(makeGift())).value).toMatchObject({ status: 402, code: 'insufficient_credits' });
});

test('fifty requests for one gift at once are one gift, paid with credits once', async () => {
  const responses = await Promise.all(Array.from({ length: 50 }, () => giveForCredits()));
  for (const { value } of responses) expect(value).toEqual(responses[0]?.value);
  expect([await readBalance(giver), (await readGiftEmails(shop, gift)).length]).toEqual([3, 1]);
  // A repeated request with another price does not change the gift either.
  expect((await giveForCredits(gift, { credits: 9 })).status).toBe(200);
});

test('gifts given at the same time never spend more credits than the balance', async () => {
  const responses = await Promise.all(Array.from({ length: 50 }, () => giveForCredits(makeGift())));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(await readBalance(giver)).toBe(1);
});

test.each([
  ['another number of credits', { credits: 1 }, 'price_changed'],
  ['another credit currency', { creditCurrency: 'Points' }, 'price_changed'],
  ['a title without a price in credits', { titleId: 'sound' }, 'not_for_sale'],
])('a gift with %s is refused', async (_case, bodyOverrides, code) => {
  expect((await giveForCredits(gift, bodyOverrides)).value).toMatchObject({ status: 409, code });
  expect([await readBalance(giver), await readGifts(shop, giver)]).toEqual([5, []]);
});

test('a money payment started for the same gift is released, and never charged in addition to the credits', async () => {
  const { transId } = await authorizeGift(shop, giver, gift);
  expect((await giveForCredits()).status).toBe(200);
  expect(await readSessionStatus(shop, giver, transId)).toMatchObject({ status: 'cancelled' });
  expect((await confirmPayment(shop, giver, transId)).status).toBe(409);
  expect([await countCharges(shop, transId), await readBalance(giver), (await readGiftEmails(shop, gift)).length]).toEqual([
    0, 3, 1,
  ]);
});

test('of a money payment and credits for one gift at the same time, only one pays', async () => {
  const { transId } = await authorizeGift(shop, giver, gift);
  const [moneyResponse] = await Promise.all([
    confirmPayment(shop, giver, transId),
    ...Array.from({ length: 10 }, () => giveForCredits()),
  ]);
  const spentCredits = 5 - (await readBalance(giver));
  expect([await countCharges(shop, transId), spentCredits]).toEqual(moneyResponse?.status === 200 ? [1, 0] : [0, 2]);
  expect(await readGiftEmails(shop, gift)).toHaveLength(1);
});

test('an unopened gift’s credits are refunded; an opened gift is not refunded', async () => {
  await giveForCredits();
  const [, refundResult] = [await refund(shop, store, gift.GiftId, { dryRun: true }), await refund(shop, store, gift.GiftId)];
  expect(refundResult.message).toMatch(/^2 credits .* were refunded/);
  expect([await readBalance(giver), await readGifts(shop, giver)]).toMatchObject([5, [{ status: 'refunded' }]]);
  expect((await refund(shop, store, gift.GiftId)).message).toContain('were already refunded');
  expect(await readBalance(giver)).toBe(5);

  const secondGift = makeGift();
  await giveForCredits(secondGift);
  const friend = await createCustomer(shop, store);
  await redeemTitle(shop, friend, getCodeFromEmail((await readGiftEmails(shop, secondGift))[0]));
  await expect(refund(shop, store, secondGift.GiftId)).rejects.toThrow(/has been opened/);
  await expect(refund(shop, store, secondGift.GiftId, { dryRun: true })).rejects.toThrow(/has been opened/);
  expect(await readBalance(giver)).toBe(3);
});

test('a store without gifts refuses a gift paid with credits', async () => {
  const otherStore = await shop.store({
    properties: { EnableBuyWithCredits: true, CreditCurrency: 'Credits' },
    titles: makeTitles(),
  });
  const customer = await createCustomer(shop, otherStore);
  const response = await shop.call('buyWithCredits', '/purchase/credits', {
    query: customer.query,
    body: { titleId: 'book', credits: 2, creditCurrency: 'Credits', giftInfo: gift },
  });
  expect(response.value).toMatchObject({ status: 409, code: 'gifting_off' });
});
