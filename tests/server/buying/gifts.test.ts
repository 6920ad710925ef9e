import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { saveCard } from '../support/cards.ts';
import { lookUpCode, redeemTitle } from '../support/codes.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import {
  authorizeGift,
  getCodeFromEmail,
  buyGift,
  makeGift,
  type GiftInfo,
  startGiftSession,
  readGifts,
  createGiftStore,
  readGiftEmails,
} from '../support/gifts.ts';
import {
  authorizePayment,
  CARD_NUMBERS,
  countCharges,
  confirmPayment,
  countHoldings,
  submitCardForm,
  type Session,
  readSessionStatus,
} from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** Methods of the payment port that tests replace to cause faults. Emptied after each test. */
let portOverrides: Partial<PaymentPort> = {};
const createOverridablePort = (port: PaymentPort): PaymentPort => ({
  ...port,
  capture: (id) => (portOverrides.capture ?? port.capture)(id),
});
const rejectUnknown = () => Promise.reject(new PaymentUnknown(new Error('no response')));

let shop: Shop;
let store: string;
let giver: Customer;
let friend: Customer;
let gift: GiftInfo;
beforeAll(async () => {
  shop = await openShop({ payment: createOverridablePort });
  store = await createGiftStore(shop);
});
beforeEach(async () => {
  giver = await createCustomer(shop, store);
  friend = await createCustomer(shop, store);
  gift = makeGift();
});
afterEach(() => {
  portOverrides = {};
});
afterAll(() => shop.close());

const hasBook = async ({ query }: Customer) =>
  ((await shop.call('userHasTitle', '/user/has-title', { query: { ...query, titleid: 'book' } })).value as { hasTitle: boolean })
    .hasTitle;
const selectGiftCodes = () =>
  shop.db
    .selectFrom('gifts')
    .innerJoin('codes', (join) => join.onRef('codes.store_id', '=', 'gifts.store_id').onRef('codes.code', '=', 'gifts.code'))
    .select('codes.code')
    .where('gifts.giver_id', '=', giver.id)
    .execute();
const giveFreeTitle = (info: GiftInfo) =>
  shop.call('purchaseFreeTitle', '/purchase/free', {
    query: { ...giver.query, titleId: 'gratis', giftInfo: JSON.stringify(info) },
  });
const readReceipt = async ({ query }: Customer, transId: string) =>
  (await shop.call('purchaseInfo', '/purchase/info', { query: { ...query, transId, isgift: true } })).value;

test('a paid gift is sent by e-mail, and its recipient redeems it [S3.gift]', async () => {
  const sessionResponse = await startGiftSession(shop, giver, gift, { price: 9.9, currency: 'EUR' });
  const { transId, url } = sessionResponse.value as Session;
  const returnUrl = new URL((await submitCardForm(url, CARD_NUMBERS.good)).headers.get('location') ?? '');
  expect([returnUrl.pathname, returnUrl.searchParams.get('transId')]).toEqual(['/title/gift', transId]);
  expect([await readGiftEmails(shop, gift), await selectGiftCodes(), await countCharges(shop, transId)]).toEqual([[], [], 0]);

  expect((await confirmPayment(shop, giver, transId)).value).toMatchObject({ transId, titleId: 'book', status: 'paid' });
  expect(await countCharges(shop, transId)).toBe(1);
  const [message, ...otherEmails] = await readGiftEmails(shop, gift);
  expect(otherEmails).toEqual([]);
  expect(message?.subject).toBe(`${store}: Ann & Co has sent you a gift`);
  expect(message?.text).toContain('Hello Bo,');
  expect(message?.text).toContain('“The Salt <Road> & Other "Ways"”');
  expect(message?.text).toContain('Happy birthday!\nYours, A.');
  expect(message?.html).toContain('Happy birthday!<br>Yours, A.');
  expect(message?.html).toContain('The Salt &lt;Road&gt;');
  expect(await readGifts(shop, giver)).toMatchObject([
    {
      giftId: gift.GiftId,
      transId,
      name: 'The Salt <Road> & Other "Ways"',
      recipientName: 'Bo',
      status: 'sent',
      redeemedAt: null,
    },
  ]);

  const code = getCodeFromEmail(message);
  expect((await lookUpCode(shop, friend, code)).value).toMatchObject({
    Kind: 'title',
    Titles: [{ TitleId: 'book' }],
    Giver: 'Ann & Co',
    Message: 'Happy birthday!\nYours, A.',
  });
  expect((await redeemTitle(shop, friend, code)).status).toBe(200);
  expect([await hasBook(friend), await hasBook(giver)]).toEqual([true, false]);
  expect(await readGifts(shop, giver)).toMatchObject([{ status: 'redeemed' }]);
  expect((await redeemTitle(shop, await createCustomer(shop, store), code)).value).toMatchObject({ Code: 'code_used' });
});

test('a gift’s receipt contains the recipient and the delivery date, and only its giver can read it', async () => {
  const transId = await buyGift(shop, giver, gift);
  expect(await readReceipt(giver, transId)).toMatchObject({
    titleId: 'book',
    amount: 9.9,
    currency: 'EUR',
    isGift: true,
    gift: { recipientName: 'Bo', recipientEmail: gift.RecipientEmail, deliverOn: null },
  });
  expect(await readReceipt(friend, transId)).toMatchObject({ status: 404 });
});

describe('recipients, and repeated gifts', () => {
  test('an owner of a title can give it twice', async () => {
    const { transId } = await authorizePayment(shop, giver, 'book');
    await confirmPayment(shop, giver, transId);
    const secondGift = makeGift();
    const transIds = [await buyGift(shop, giver, gift), await buyGift(shop, giver, secondGift)];
    expect(new Set(transIds).size).toBe(2);
    const emails = [...(await readGiftEmails(shop, gift)), ...(await readGiftEmails(shop, secondGift))];
    expect(new Set(emails.map(getCodeFromEmail)).size).toBe(2);
    expect(await countHoldings(shop, giver, 'book')).toEqual({ purchases: 3, copies: 1, paid: 3 });
  });

  test('a gift that is being charged does not block its giver’s own purchase of the title', async () => {
    const { transId } = await authorizeGift(shop, giver, gift);
    portOverrides = { capture: rejectUnknown };
    expect((await confirmPayment(shop, giver, transId)).value).toMatchObject({ code: 'payment_unknown' });
    portOverrides = {};
    const ownPayment = await authorizePayment(shop, giver, 'book');
    expect((await confirmPayment(shop, giver, ownPayment.transId)).status).toBe(200);
    expect(await hasBook(giver)).toBe(true);
  });

  test('a saved card pays for a gift once, also when the request is repeated', async () => {
    const cardId = await saveCard(shop, giver);
    const query = { ...giver.query, titleId: 'book', cardId, giftInfo: JSON.stringify(gift) };
    const firstResponse = await shop.call('purchaseTitle', '/purchase/title', { query });
    expect(firstResponse.value).toMatchObject({ status: 'paid', titleId: 'book' });
    const repeatedResponse = await shop.call('purchaseTitle', '/purchase/title', { query });
    expect(repeatedResponse.value).toMatchObject({ status: 'paid', transId: (firstResponse.value as Session).transId });
    expect([await readGiftEmails(shop, gift), await selectGiftCodes()].map((items) => items.length)).toEqual([1, 1]);
  });

  test('a free title is given once per gift id, however often it is requested', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => giveFreeTitle(gift)));
    expect(responses.map(({ value }) => value)).toEqual(
      Array(3).fill({ transId: gift.GiftId, titleId: 'gratis', instanceId: gift.GiftId, status: 'paid' }),
    );
    expect(await readGiftEmails(shop, gift)).toHaveLength(1);
    expect(await readReceipt(giver, gift.GiftId ?? '')).toMatchObject({ amount: 0, isGift: true, gift: { recipientName: 'Bo' } });
    const paidTitleQuery = { ...giver.query, titleId: 'book', giftInfo: JSON.stringify(makeGift()) };
    expect((await shop.call('purchaseFreeTitle', '/purchase/free', { query: paidTitleQuery })).value).toMatchObject({
      code: 'not_free',
    });
  });
});

describe('a gift is neither doubled nor lost', () => {
  test('concurrent requests for one gift are one payment, and repeated confirmations make one code', async () => {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => startGiftSession(shop, giver, gift)));
    const [transId, ...otherTransIds] = new Set(sessions.map(({ value }) => (value as Session).transId));
    expect(otherTransIds).toEqual([]);
    const [session] = sessions.map(({ value }) => value as Session);
    await submitCardForm(session?.url ?? '', CARD_NUMBERS.good);
    const responses = await Promise.all(Array.from({ length: 10 }, () => confirmPayment(shop, giver, transId ?? '')));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect([await readGiftEmails(shop, gift), await selectGiftCodes()].map((items) => items.length)).toEqual([1, 1]);
    expect(await countCharges(shop, transId ?? '')).toBe(1);
  });

  test('after a server died between charge and grant, the sweep sends the gift once', async () => {
    const { transId } = await authorizeGift(shop, giver, gift);
    const transaction = await shop.db.selectFrom('transactions').selectAll().where('id', '=', transId).executeTakeFirstOrThrow();
    await shop.db.updateTable('transactions').set({ status: 'capturing' }).where('id', '=', transId).execute();
    await shop.gateway.port.capture(transaction.intent_id ?? '');
    expect(await readGiftEmails(shop, gift)).toEqual([]);
    await sweep(shop.services);
    await sweep(shop.services);
    expect(await readSessionStatus(shop, giver, transId)).toMatchObject({ status: 'paid' });
    expect([await readGiftEmails(shop, gift), await selectGiftCodes()].map((items) => items.length)).toEqual([1, 1]);
  });

  test('a gift is sent with the last details before its payment; later ones are ignored', async () => {
    const { transId } = await authorizeGift(shop, giver, gift);
    const correctedGift = { ...gift, RecipientName: 'Bob' };
    expect((await startGiftSession(shop, giver, correctedGift)).value).toMatchObject({ transId });
    await confirmPayment(shop, giver, transId);
    expect((await startGiftSession(shop, giver, { ...gift, RecipientName: 'Eve' })).value).toMatchObject({ transId });
    expect((await readGiftEmails(shop, gift))[0]?.text).toContain('Hello Bob,');
    expect(await readGifts(shop, giver)).toMatchObject([{ recipientName: 'Bob' }]);
  });

  test('a cancelled payment is followed by a new one for the same gift', async () => {
    const { transId } = (await startGiftSession(shop, giver, gift)).value as Session;
    await shop.db.updateTable('transactions').set({ status: 'cancelled' }).where('id', '=', transId).execute();
    const secondTransId = await buyGift(shop, giver, gift);
    expect(secondTransId).not.toBe(transId);
    expect(await readGiftEmails(shop, gift)).toHaveLength(1);
  });

  test('a price change starts another payment for the gift and releases the first', async () => {
    const { transId } = await authorizeGift(shop, giver, gift);
    const setPrice = (amount: number) =>
      shop.db
        .updateTable('prices')
        .set({ amount_minor: amount })
        .where('store_id', '=', store)
        .where('title_id', '=', 'book')
        .where('currency', '=', 'EUR')
        .execute();
    await setPrice(1990);
    const secondSession = (await startGiftSession(shop, giver, gift)).value as Session;
    await setPrice(990);
    expect(secondSession.transId).not.toBe(transId);
    expect(await readSessionStatus(shop, giver, transId)).toMatchObject({ status: 'cancelled' });
    expect(await countCharges(shop, transId)).toBe(0);
  });

  test('a gift’s id cannot be used by another customer or for another title', async () => {
    await startGiftSession(shop, giver, gift);
    expect((await startGiftSession(shop, friend, gift)).value).toMatchObject({ status: 409, code: 'conflict' });
    expect((await startGiftSession(shop, giver, gift, { titleId: 'sound' })).value).toMatchObject({
      status: 409,
      code: 'conflict',
    });
  });
});

test('a gift’s code is accepted where the store accepts no other codes', async () => {
  const storeWithoutCodes = await shop.store({ properties: { EnableGiftingTitle: true, EnableWebTitleRedeem: false } });
  const [sender, recipient] = [await createCustomer(shop, storeWithoutCodes), await createCustomer(shop, storeWithoutCodes)];
  await buyGift(shop, sender, gift);
  const code = getCodeFromEmail((await readGiftEmails(shop, gift))[0]);
  expect((await redeemTitle(shop, recipient, code)).status).toBe(200);
});
