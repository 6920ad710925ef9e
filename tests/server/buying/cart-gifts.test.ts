import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { plainCode } from '../../../server/base/code-text.ts';
import { redeemCode } from '../../../server/redeeming/redeem-code.ts';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { keepCard } from '../support/cards.ts';
import { beginCart, cartCall, fill, idsIn } from '../support/carts.ts';
import { codeIn, lookUp, redeemTitle, usesLeft } from '../support/codes.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { codeInLetter, giftFor, type GiftInfo, giftsOf, giftStore, lettersOf } from '../support/gifts.ts';
import { sentTo } from '../support/outbox.ts';
import { authorized, CARDS, chargesOf, confirm, pay, type Session, statusOf } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** What goes wrong between the store and the gateway, until a test mends it. */
let trouble: Partial<PaymentPort> = {};
const troubled = (port: PaymentPort): PaymentPort => ({ ...port, capture: (id) => (trouble.capture ?? port.capture)(id) });
const silent = () => Promise.reject(new PaymentUnknown(new Error('silence')));

let shop: Shop;
let store: string;
let giver: Customer;
let friend: Customer;
let gift: GiftInfo & { GiftId: string };
beforeAll(async () => {
  shop = await openShop({ payment: troubled });
  store = await giftStore(shop);
});
beforeEach(async () => {
  giver = await customerOf(shop, store);
  friend = await customerOf(shop, store);
  gift = giftFor();
  await fill(shop, giver, ['book', 'sound', 'gratis']);
});
afterEach(() => {
  trouble = {};
});
afterAll(() => shop.close());

const session = (info: object = gift, more: Record<string, string | number> = {}) =>
  beginCart(shop, giver, { giftInfo: JSON.stringify(info), ...more });
const authorize = async (info: object = gift, more: Record<string, string | number> = {}): Promise<string> => {
  const { value, text } = await session(info, more);
  if ((value as Session).url === undefined) throw new Error(`No session: ${text}`);
  await pay((value as Session).url, CARDS.good);
  return (value as Session).transId;
};
const give = async (info: object = gift): Promise<string> => {
  const transId = await authorize(info);
  const { status, text } = await confirm(shop, giver, transId);
  if (status !== 200) throw new Error(`Not paid: ${text}`);
  return transId;
};
const libraryOf = async ({ query }: Customer): Promise<string[]> => {
  const { value } = await shop.ask('userPurchases', '/user/purchases', { query });
  return ((value as { Purchase?: { TitleId: string }[] }).Purchase ?? []).map(({ TitleId }) => TitleId).toSorted();
};
const codesOfGiver = () =>
  shop.db
    .selectFrom('gifts')
    .innerJoin('codes', (join) => join.onRef('codes.store_id', '=', 'gifts.store_id').onRef('codes.code', '=', 'gifts.code'))
    .selectAll('codes')
    .where('gifts.giver_id', '=', giver.id)
    .execute();
/** Opens a gift past the limit on guesses, which so many at once would meet. */
const openBy = async ({ id: userId }: Customer, typed: string) => {
  const code = await shop.db.selectFrom('codes').selectAll().where('code', '=', plainCode(typed)).executeTakeFirstOrThrow();
  const [result] = await Promise.allSettled([redeemCode(shop.services, { storeId: store, userId, address: '10.0.0.1' }, code)]);
  return result;
};
const purchasesOf = ({ id }: Customer) =>
  shop.db.selectFrom('purchases').selectAll().where('user_id', '=', id).orderBy('title_id').execute();

test('a cart is given: one charge, one letter with one code, every title for who opens it and none for the giver [S3.gift]', async () => {
  const begun = await session(gift, { titleids: 'book,sound', price: 21.9, currency: 'EUR' });
  const { transId, url } = begun.value as Session;
  expect(await (await fetch(url)).text()).toContain('Éclair of Winter, The Salt &lt;Road&gt; &amp; Other');
  const back = new URL((await pay(url, CARDS.good)).headers.get('location') ?? '');
  expect([back.pathname, back.searchParams.get('transId')]).toEqual(['/cart/gift', transId]);
  expect([await lettersOf(shop, gift), await codesOfGiver(), await chargesOf(shop, transId)]).toEqual([[], [], 0]);

  expect((await confirm(shop, giver, transId)).value).toMatchObject({ transId, titleId: 'sound', status: 'paid' });
  expect(await chargesOf(shop, transId)).toBe(1);
  const [letter, ...more] = await lettersOf(shop, gift);
  expect(more).toEqual([]);
  expect(letter?.text).toContain('Ann & Co is giving you 2 titles from');
  expect(letter?.text).toContain('Éclair of Winter\nThe Salt <Road> & Other "Ways"');
  expect(letter?.text).toContain('Happy birthday!\nYours, A.');
  expect(letter?.html).toContain('Éclair of Winter<br>The Salt &lt;Road&gt;');
  expect(letter?.text).toContain('opens all of them');

  const cart = (await cartCall(shop, giver, 'cartTitles')).value;
  expect([idsIn(cart), await libraryOf(giver)]).toEqual([['gratis'], []]);
  expect(await purchasesOf(giver)).toMatchObject([
    { title_id: 'book', kind: 'gift', amount_minor: 990, transaction_id: transId },
    { title_id: 'sound', kind: 'gift', amount_minor: 1200, transaction_id: transId },
  ]);
  expect(await giftsOf(shop, giver)).toMatchObject([
    {
      giftId: gift.GiftId,
      transId,
      titleId: 'sound',
      titles: [{ titleId: 'sound', name: 'Éclair of Winter' }, { titleId: 'book' }],
      status: 'sent',
    },
  ]);

  const code = codeInLetter(letter);
  expect((await lookUp(shop, friend, code)).value).toMatchObject({
    Kind: 'bundle',
    Titles: [{ TitleId: 'sound' }, { TitleId: 'book' }],
    Giver: 'Ann & Co',
    Message: 'Happy birthday!\nYours, A.',
  });
  const opened = await redeemTitle(shop, friend, code);
  expect(opened.value.Purchase).toMatchObject([{ TitleId: 'sound' }, { TitleId: 'book' }]);
  expect([await libraryOf(friend), await libraryOf(giver)]).toEqual([['book', 'sound'], []]);
  expect(await giftsOf(shop, giver)).toMatchObject([{ status: 'redeemed' }]);
  expect((await redeemTitle(shop, friend, code)).value.Purchase).toHaveLength(2);
  expect((await lookUp(shop, friend, code)).value).toMatchObject({ Redeemed: true, Titles: [{}, {}] });
  expect((await redeemTitle(shop, await customerOf(shop, store), code)).value).toMatchObject({ Code: 'code_used' });
});

test('receipt, the letter of it, and the preview name every title', async () => {
  const preview = await shop.ask('giftPreview', '/gift/preview', {
    query: giver.query,
    body: { titleIds: ['sound', 'book'], giftInfo: gift },
  });
  expect(preview.value).toMatchObject({
    before: [
      'Hello Bo,',
      expect.stringContaining('2 titles'),
      'Éclair of Winter\nThe Salt <Road> & Other "Ways"',
      'Happy birthday!\nYours, A.',
    ],
  });
  const transId = await give();
  const receipt = await shop.ask('purchaseInfo', '/purchase/info', { query: { ...giver.query, transId } });
  expect(receipt.value).toMatchObject({
    amount: 21.9,
    isGift: true,
    titles: [
      { titleId: 'sound', amount: 12 },
      { titleId: 'book', amount: 9.9 },
    ],
    gift: { recipientName: 'Bo', titles: [{}, {}] },
  });
  const [letter] = await sentTo(shop, giver.email);
  expect(letter?.text).toContain('Éclair of Winter: €12.00');
  expect(letter?.text).toContain('The Salt <Road> & Other "Ways": €9.90');
  expect(letter?.text).toContain('€21.90');
  const data = await shop.ask('userData', '/user/data', { query: giver.query });
  expect(data.value).toMatchObject({ gifts: [{ giftId: gift.GiftId, titleIds: ['sound', 'book'] }] });
});

test('a code makes it cheaper, and is used once', async () => {
  const code = await codeIn(shop, store, { grants: 'discount:50%' });
  const transId = await authorize(gift, { code, price: 10.95, currency: 'EUR' });
  const answers = await Promise.all(Array.from({ length: 50 }, () => confirm(shop, giver, transId)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect([await usesLeft(shop, code), await chargesOf(shop, transId)]).toEqual([0, 1]);
  expect([await lettersOf(shop, gift), await codesOfGiver()].map((each) => each.length)).toEqual([1, 1]);
  expect((await purchasesOf(giver)).map((row) => row.amount_minor)).toEqual([495, 600]);
});

describe('one gift, however often and whatever fails', () => {
  test('fifty sessions at once are one payment, and so is one that is asked for when it is paid', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => session()));
    const [transId, ...others] = new Set(answers.map(({ value }) => (value as Session).transId));
    expect(others).toEqual([]);
    const [first] = answers.map(({ value }) => value as Session);
    await pay(first?.url ?? '', CARDS.good);
    await confirm(shop, giver, transId ?? '');
    expect((await session()).value).toMatchObject({ transId });
    const rows = await shop.db.selectFrom('transactions').select('id').where('user_id', '=', giver.id).execute();
    expect(rows).toHaveLength(1);
  });

  test('a cart that has changed is another payment, and the first is released', async () => {
    const first = await authorize();
    await fill(shop, giver, ['film']);
    const { transId } = (await session()).value as Session;
    expect(transId).not.toBe(first);
    expect(await statusOf(shop, giver, first)).toMatchObject({ status: 'cancelled' });
    expect((await confirm(shop, giver, first)).value).toMatchObject({ code: 'cancelled' });
  });

  test('where nobody knows whether it was charged, the sweep sends it', async () => {
    const transId = await authorize();
    trouble = { capture: silent };
    expect((await confirm(shop, giver, transId)).value).toMatchObject({ code: 'payment_unknown' });
    expect(await lettersOf(shop, gift)).toEqual([]);
    trouble = {};
    await sweep(shop.services);
    expect(await statusOf(shop, giver, transId)).toMatchObject({ status: 'paid' });
    expect(await lettersOf(shop, gift)).toHaveLength(1);
  });

  test('who opens it fifty times at once gets every title once; of ten people who try five times each one does', async () => {
    await give();
    const code = codeInLetter((await lettersOf(shop, gift))[0]);
    const same = await Promise.all(Array.from({ length: 50 }, () => openBy(friend, code)));
    expect(new Set(same.map((each) => each.status))).toEqual(new Set(['fulfilled']));
    expect((await purchasesOf(friend)).map((row) => row.title_id)).toEqual(['book', 'sound']);

    const second = giftFor();
    await fill(shop, giver, ['book', 'sound']);
    await give(second);
    const other = codeInLetter((await lettersOf(shop, second))[0]);
    const people: Customer[] = [];
    for (let at = 0; at < 10; at += 1) people.push(await customerOf(shop, store));
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => openBy(people[at % 10] ?? friend, other)));
    const given = await Promise.all(people.map(libraryOf));
    expect(given.filter((each) => each.length > 0)).toEqual([['book', 'sound']]);
    // Who got it hears so each time.
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  test('a kept card pays for it once', async () => {
    const cardId = await keepCard(shop, giver);
    const { transId } = (await session(gift, { cardId })).value as Session;
    expect(await statusOf(shop, giver, transId)).toMatchObject({ status: 'authorized' });
    expect(((await session(gift, { cardId })).value as Session).transId).toBe(transId);
    expect((await confirm(shop, giver, transId)).status).toBe(200);
    expect([await chargesOf(shop, transId), await lettersOf(shop, gift)]).toMatchObject([1, [{}]]);
  });
});

describe('who has some of it already', () => {
  test('gets the rest, and who has all of it leaves the gift for somebody else', async () => {
    const own = await authorized(shop, friend, 'book');
    await confirm(shop, friend, own.transId);
    await give();
    const code = codeInLetter((await lettersOf(shop, gift))[0]);
    const rich = await customerOf(shop, store);
    for (const titleId of ['book', 'sound']) {
      const { transId } = await authorized(shop, rich, titleId);
      await confirm(shop, rich, transId);
    }
    expect((await lookUp(shop, rich, code)).value.Owned?.toSorted()).toEqual(['book', 'sound']);
    expect((await redeemTitle(shop, rich, code)).value).toMatchObject({ Code: 'already_owned' });
    expect((await lookUp(shop, friend, code)).value).toMatchObject({ Owned: ['book'] });
    expect((await redeemTitle(shop, friend, code)).status).toBe(200);
    expect(await libraryOf(friend)).toEqual(['book', 'sound']);
    expect((await purchasesOf(friend)).map((row) => row.kind)).toEqual(['payment', 'code']);
  });

  test('or is paying for one of them at this moment, opens it when that is done', async () => {
    await give();
    const code = codeInLetter((await lettersOf(shop, gift))[0]);
    await fill(shop, friend, ['book', 'film']);
    const { value } = await beginCart(shop, friend);
    await pay((value as Session).url, CARDS.good);
    trouble = { capture: silent };
    await confirm(shop, friend, (value as Session).transId);
    trouble = {};
    expect((await redeemTitle(shop, friend, code)).value).toMatchObject({ Code: 'conflict' });
    expect((await confirm(shop, friend, (value as Session).transId)).status).toBe(200);
    expect((await redeemTitle(shop, friend, code)).status).toBe(200);
    expect(await libraryOf(friend)).toEqual(['book', 'film', 'sound']);
  });

  test('the giver buys what they have given for themselves, too', async () => {
    await give();
    const { transId } = await authorized(shop, giver, 'book');
    expect((await confirm(shop, giver, transId)).status).toBe(200);
    expect(await libraryOf(giver)).toEqual(['book']);
  });
});
