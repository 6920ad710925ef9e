import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { keepCard } from '../support/cards.ts';
import { lookUp, redeemTitle } from '../support/codes.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import {
  authorizedGift,
  codeInLetter,
  give,
  giftFor,
  type GiftInfo,
  giftSession,
  giftsOf,
  giftStore,
  lettersOf,
} from '../support/gifts.ts';
import { authorized, CARDS, chargesOf, confirm, holdings, pay, type Session, statusOf } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** What goes wrong between the store and the gateway, until a test mends it. */
let trouble: Partial<PaymentPort> = {};
const troubled = (port: PaymentPort): PaymentPort => ({ ...port, capture: (id) => (trouble.capture ?? port.capture)(id) });
const silent = () => Promise.reject(new PaymentUnknown(new Error('silence')));

let shop: Shop;
let store: string;
let giver: Customer;
let friend: Customer;
let gift: GiftInfo;
beforeAll(async () => {
  shop = await openShop({ payment: troubled });
  store = await giftStore(shop);
});
beforeEach(async () => {
  giver = await customerOf(shop, store);
  friend = await customerOf(shop, store);
  gift = giftFor();
});
afterEach(() => {
  trouble = {};
});
afterAll(() => shop.close());

const has = async ({ query }: Customer) =>
  ((await shop.ask('userHasTitle', '/user/has-title', { query: { ...query, titleid: 'book' } })).value as { hasTitle: boolean })
    .hasTitle;
const codes = () =>
  shop.db
    .selectFrom('gifts')
    .innerJoin('codes', (join) => join.onRef('codes.store_id', '=', 'gifts.store_id').onRef('codes.code', '=', 'gifts.code'))
    .select('codes.code')
    .where('gifts.giver_id', '=', giver.id)
    .execute();
const giveFree = (info: GiftInfo) =>
  shop.ask('purchaseFreeTitle', '/purchase/free', {
    query: { ...giver.query, titleId: 'gratis', giftInfo: JSON.stringify(info) },
  });
const receiptOf = async ({ query }: Customer, transId: string) =>
  (await shop.ask('purchaseInfo', '/purchase/info', { query: { ...query, transId, isgift: true } })).value;

test('a gift is paid for, a letter brings it, and who gets that opens it [S3.gift]', async () => {
  const begun = await giftSession(shop, giver, gift, { price: 9.9, currency: 'EUR' });
  const { transId, url } = begun.value as Session;
  const back = new URL((await pay(url, CARDS.good)).headers.get('location') ?? '');
  expect([back.pathname, back.searchParams.get('transId')]).toEqual(['/title/gift', transId]);
  expect([await lettersOf(shop, gift), await codes(), await chargesOf(shop, transId)]).toEqual([[], [], 0]);

  expect((await confirm(shop, giver, transId)).value).toMatchObject({ transId, titleId: 'book', status: 'paid' });
  expect(await chargesOf(shop, transId)).toBe(1);
  const [letter, ...more] = await lettersOf(shop, gift);
  expect(more).toEqual([]);
  expect(letter?.subject).toBe(`${store}: Ann & Co has sent you a gift`);
  expect(letter?.text).toContain('Hello Bo,');
  expect(letter?.text).toContain('“The Salt <Road> & Other "Ways"”');
  expect(letter?.text).toContain('Happy birthday!\nYours, A.');
  expect(letter?.html).toContain('Happy birthday!<br>Yours, A.');
  expect(letter?.html).toContain('The Salt &lt;Road&gt;');
  expect(await giftsOf(shop, giver)).toMatchObject([
    {
      giftId: gift.GiftId,
      transId,
      name: 'The Salt <Road> & Other "Ways"',
      recipientName: 'Bo',
      status: 'sent',
      redeemedAt: null,
    },
  ]);

  const code = codeInLetter(letter);
  expect((await lookUp(shop, friend, code)).value).toMatchObject({
    Kind: 'title',
    Titles: [{ TitleId: 'book' }],
    Giver: 'Ann & Co',
    Message: 'Happy birthday!\nYours, A.',
  });
  expect((await redeemTitle(shop, friend, code)).status).toBe(200);
  expect([await has(friend), await has(giver)]).toEqual([true, false]);
  expect(await giftsOf(shop, giver)).toMatchObject([{ status: 'redeemed' }]);
  expect((await redeemTitle(shop, await customerOf(shop, store), code)).value).toMatchObject({ Code: 'code_used' });
});

test('the receipt says that it is a gift, to whom and when it goes out', async () => {
  const transId = await give(shop, giver, gift);
  expect(await receiptOf(giver, transId)).toMatchObject({
    titleId: 'book',
    amount: 9.9,
    currency: 'EUR',
    isGift: true,
    gift: { recipientName: 'Bo', recipientEmail: gift.RecipientEmail, deliverOn: null },
  });
  expect(await receiptOf(friend, transId)).toMatchObject({ status: 404 });
});

describe('whom it may be given, and how often', () => {
  test('who owns the title gives it all the same, and twice', async () => {
    const { transId } = await authorized(shop, giver, 'book');
    await confirm(shop, giver, transId);
    const another = giftFor();
    const paid = [await give(shop, giver, gift), await give(shop, giver, another)];
    expect(new Set(paid).size).toBe(2);
    const letters = [...(await lettersOf(shop, gift)), ...(await lettersOf(shop, another))];
    expect(new Set(letters.map(codeInLetter)).size).toBe(2);
    expect(await holdings(shop, giver, 'book')).toEqual({ purchases: 3, copies: 1, paid: 3 });
  });

  test('a gift that is being charged keeps nobody from buying the title', async () => {
    const { transId } = await authorizedGift(shop, giver, gift);
    trouble = { capture: silent };
    expect((await confirm(shop, giver, transId)).value).toMatchObject({ code: 'payment_unknown' });
    trouble = {};
    const own = await authorized(shop, giver, 'book');
    expect((await confirm(shop, giver, own.transId)).status).toBe(200);
    expect(await has(giver)).toBe(true);
  });

  test('a kept card pays for it', async () => {
    const cardId = await keepCard(shop, giver);
    const query = { ...giver.query, titleId: 'book', cardId, giftInfo: JSON.stringify(gift) };
    const first = await shop.ask('purchaseTitle', '/purchase/title', { query });
    expect(first.value).toMatchObject({ status: 'paid', titleId: 'book' });
    const again = await shop.ask('purchaseTitle', '/purchase/title', { query });
    expect(again.value).toMatchObject({ status: 'paid', transId: (first.value as Session).transId });
    expect([await lettersOf(shop, gift), await codes()].map((each) => each.length)).toEqual([1, 1]);
  });

  test('a free title is given once for a gift, however often it is asked', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => giveFree(gift)));
    expect(answers.map(({ value }) => value)).toEqual(
      Array(3).fill({ transId: gift.GiftId, titleId: 'gratis', instanceId: gift.GiftId, status: 'paid' }),
    );
    expect(await lettersOf(shop, gift)).toHaveLength(1);
    expect(await receiptOf(giver, gift.GiftId ?? '')).toMatchObject({ amount: 0, isGift: true, gift: { recipientName: 'Bo' } });
    const paid = { ...giver.query, titleId: 'book', giftInfo: JSON.stringify(giftFor()) };
    expect((await shop.ask('purchaseFreeTitle', '/purchase/free', { query: paid })).value).toMatchObject({ code: 'not_free' });
  });
});

describe('nothing twice, nothing lost', () => {
  test('the same gift asked for at once is one payment, and one code however often it is confirmed', async () => {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => giftSession(shop, giver, gift)));
    const [first, ...others] = new Set(sessions.map(({ value }) => (value as Session).transId));
    expect(others).toEqual([]);
    const [session] = sessions.map(({ value }) => value as Session);
    await pay(session?.url ?? '', CARDS.good);
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(shop, giver, first ?? '')));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect([await lettersOf(shop, gift), await codes()].map((each) => each.length)).toEqual([1, 1]);
    expect(await chargesOf(shop, first ?? '')).toBe(1);
  });

  test('of a shop that ended after the charge the sweep sends the gift, once', async () => {
    const { transId } = await authorizedGift(shop, giver, gift);
    const found = await shop.db.selectFrom('transactions').selectAll().where('id', '=', transId).executeTakeFirstOrThrow();
    await shop.db.updateTable('transactions').set({ status: 'capturing' }).where('id', '=', transId).execute();
    await shop.gateway.port.capture(found.intent_id ?? '');
    expect(await lettersOf(shop, gift)).toEqual([]);
    await sweep(shop.services);
    await sweep(shop.services);
    expect(await statusOf(shop, giver, transId)).toMatchObject({ status: 'paid' });
    expect([await lettersOf(shop, gift), await codes()].map((each) => each.length)).toEqual([1, 1]);
  });

  test('what is said last before it is paid counts, and nothing after that', async () => {
    const { transId } = await authorizedGift(shop, giver, gift);
    const corrected = { ...gift, RecipientName: 'Bob' };
    expect((await giftSession(shop, giver, corrected)).value).toMatchObject({ transId });
    await confirm(shop, giver, transId);
    expect((await giftSession(shop, giver, { ...gift, RecipientName: 'Eve' })).value).toMatchObject({ transId });
    expect((await lettersOf(shop, gift))[0]?.text).toContain('Hello Bob,');
    expect(await giftsOf(shop, giver)).toMatchObject([{ recipientName: 'Bob' }]);
  });

  test('a payment that was cancelled is followed by another one for the same gift', async () => {
    const { transId } = (await giftSession(shop, giver, gift)).value as Session;
    await shop.db.updateTable('transactions').set({ status: 'cancelled' }).where('id', '=', transId).execute();
    const second = await give(shop, giver, gift);
    expect(second).not.toBe(transId);
    expect(await lettersOf(shop, gift)).toHaveLength(1);
  });

  test('another price is another payment, and the first is released', async () => {
    const { transId } = await authorizedGift(shop, giver, gift);
    const price = (amount: number) =>
      shop.db
        .updateTable('prices')
        .set({ amount_minor: amount })
        .where('store_id', '=', store)
        .where('title_id', '=', 'book')
        .where('currency', '=', 'EUR')
        .execute();
    await price(1990);
    const second = (await giftSession(shop, giver, gift)).value as Session;
    await price(990);
    expect(second.transId).not.toBe(transId);
    expect(await statusOf(shop, giver, transId)).toMatchObject({ status: 'cancelled' });
    expect(await chargesOf(shop, transId)).toBe(0);
  });

  test('the id of a gift is its giver’s, and its title’s', async () => {
    await giftSession(shop, giver, gift);
    expect((await giftSession(shop, friend, gift)).value).toMatchObject({ status: 409, code: 'conflict' });
    expect((await giftSession(shop, giver, gift, { titleId: 'sound' })).value).toMatchObject({ status: 409, code: 'conflict' });
  });
});

test('a code of a gift is taken where the store takes no other codes', async () => {
  const strict = await shop.store({ properties: { EnableGiftingTitle: true, EnableWebTitleRedeem: false } });
  const [from, to] = [await customerOf(shop, strict), await customerOf(shop, strict)];
  await give(shop, from, gift);
  const code = codeInLetter((await lettersOf(shop, gift))[0]);
  expect((await redeemTitle(shop, to, code)).status).toBe(200);
});
