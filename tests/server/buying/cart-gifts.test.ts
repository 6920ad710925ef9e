import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { normalizeCode } from '../../../server/base/code-text.ts';
import { redeemCode } from '../../../server/redeeming/redeem-code.ts';
import { type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { saveCard } from '../support/cards.ts';
import { startCartSession, callCart, fillCart, listTitleIds } from '../support/carts.ts';
import { insertCode, lookUpCode, redeemTitle, readUsesLeft } from '../support/codes.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { getCodeFromEmail, makeGift, type GiftInfo, readGifts, createGiftStore, readGiftEmails } from '../support/gifts.ts';
import { readEmailsTo } from '../support/outbox.ts';
import {
  authorizePayment,
  CARD_NUMBERS,
  countCharges,
  confirmPayment,
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
let gift: GiftInfo & { GiftId: string };
beforeAll(async () => {
  shop = await openShop({ payment: createOverridablePort });
  store = await createGiftStore(shop);
});
beforeEach(async () => {
  giver = await createCustomer(shop, store);
  friend = await createCustomer(shop, store);
  gift = makeGift();
  await fillCart(shop, giver, ['book', 'sound', 'gratis']);
});
afterEach(() => {
  portOverrides = {};
});
afterAll(() => shop.close());

const startSession = (info: object = gift, query: Record<string, string | number> = {}) =>
  startCartSession(shop, giver, { giftInfo: JSON.stringify(info), ...query });
const authorize = async (info: object = gift, query: Record<string, string | number> = {}): Promise<string> => {
  const { status, value, text } = await startSession(info, query);
  if ((value as Session).url === undefined) throw new Error(`No payment session: HTTP ${status} ${text}`);
  await submitCardForm((value as Session).url, CARD_NUMBERS.good);
  return (value as Session).transId;
};
const giveCart = async (info: object = gift): Promise<string> => {
  const transId = await authorize(info);
  const { status, text } = await confirmPayment(shop, giver, transId);
  if (status !== 200) throw new Error(`The payment ${transId} was not confirmed: HTTP ${status} ${text}`);
  return transId;
};
const readLibrary = async ({ query }: Customer): Promise<string[]> => {
  const { value } = await shop.call('userPurchases', '/user/purchases', { query });
  return ((value as { Purchase?: { TitleId: string }[] }).Purchase ?? []).map(({ TitleId }) => TitleId).toSorted();
};
const selectGiftCodes = () =>
  shop.db
    .selectFrom('gifts')
    .innerJoin('codes', (join) => join.onRef('codes.store_id', '=', 'gifts.store_id').onRef('codes.code', '=', 'gifts.code'))
    .selectAll('codes')
    .where('gifts.giver_id', '=', giver.id)
    .execute();
/** Redeems a gift's code without the rate limit on guesses, which this many calls would exceed. */
const redeemGift = async ({ id: userId }: Customer, typedCode: string) => {
  const code = await shop.db
    .selectFrom('codes')
    .selectAll()
    .where('code', '=', normalizeCode(typedCode))
    .executeTakeFirstOrThrow();
  const [result] = await Promise.allSettled([redeemCode(shop.services, { storeId: store, userId, address: '10.0.0.1' }, code)]);
  return result;
};
const selectPurchases = ({ id }: Customer) =>
  shop.db.selectFrom('purchases').selectAll().where('user_id', '=', id).orderBy('title_id').execute();

test('a given cart makes one charge and one e-mail with one code; the recipient gets every title, the giver none [S3.gift]', async () => {
  const sessionResponse = await startSession(gift, { titleids: 'book,sound', price: 21.9, currency: 'EUR' });
  const { transId, url } = sessionResponse.value as Session;
  expect(await (await fetch(url)).text()).toContain('Éclair of Winter, The Salt &lt;Road&gt; &amp; Other');
  const returnUrl = new URL((await submitCardForm(url, CARD_NUMBERS.good)).headers.get('location') ?? '');
  expect([returnUrl.pathname, returnUrl.searchParams.get('transId')]).toEqual(['/cart/gift', transId]);
  expect([await readGiftEmails(shop, gift), await selectGiftCodes(), await countCharges(shop, transId)]).toEqual([[], [], 0]);

  expect((await confirmPayment(shop, giver, transId)).value).toMatchObject({ transId, titleId: 'sound', status: 'paid' });
  expect(await countCharges(shop, transId)).toBe(1);
  const [message, ...otherEmails] = await readGiftEmails(shop, gift);
  expect(otherEmails).toEqual([]);
  expect(message?.text).toContain('Ann & Co is giving you 2 titles from');
  expect(message?.text).toContain('Éclair of Winter\nThe Salt <Road> & Other "Ways"');
  expect(message?.text).toContain('Happy birthday!\nYours, A.');
  expect(message?.html).toContain('Éclair of Winter<br>The Salt &lt;Road&gt;');
  expect(message?.text).toContain('opens all of them');

  const cart = (await callCart(shop, giver, 'cartTitles')).value;
  expect([listTitleIds(cart), await readLibrary(giver)]).toEqual([['gratis'], []]);
  expect(await selectPurchases(giver)).toMatchObject([
    { title_id: 'book', kind: 'gift', amount_minor: 990, transaction_id: transId },
    { title_id: 'sound', kind: 'gift', amount_minor: 1200, transaction_id: transId },
  ]);
  expect(await readGifts(shop, giver)).toMatchObject([
    {
      giftId: gift.GiftId,
      transId,
      titleId: 'sound',
      titles: [{ titleId: 'sound', name: 'Éclair of Winter' }, { titleId: 'book' }],
      status: 'sent',
    },
  ]);

  const code = getCodeFromEmail(message);
  expect((await lookUpCode(shop, friend, code)).value).toMatchObject({
    Kind: 'bundle',
    Titles: [{ TitleId: 'sound' }, { TitleId: 'book' }],
    Giver: 'Ann & Co',
    Message: 'Happy birthday!\nYours, A.',
  });
  const redemption = await redeemTitle(shop, friend, code);
  expect(redemption.value.Purchase).toMatchObject([{ TitleId: 'sound' }, { TitleId: 'book' }]);
  expect([await readLibrary(friend), await readLibrary(giver)]).toEqual([['book', 'sound'], []]);
  expect(await readGifts(shop, giver)).toMatchObject([{ status: 'redeemed' }]);
  expect((await redeemTitle(shop, friend, code)).value.Purchase).toHaveLength(2);
  expect((await lookUpCode(shop, friend, code)).value).toMatchObject({ Redeemed: true, Titles: [{}, {}] });
  expect((await redeemTitle(shop, await createCustomer(shop, store), code)).value).toMatchObject({ Code: 'code_used' });
});

test('a given cart’s receipt, receipt e-mail and preview name every title', async () => {
  const preview = await shop.call('giftPreview', '/gift/preview', {
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
  const transId = await giveCart();
  const receipt = await shop.call('purchaseInfo', '/purchase/info', { query: { ...giver.query, transId } });
  expect(receipt.value).toMatchObject({
    amount: 21.9,
    isGift: true,
    titles: [
      { titleId: 'sound', amount: 12 },
      { titleId: 'book', amount: 9.9 },
    ],
    gift: { recipientName: 'Bo', titles: [{}, {}] },
  });
  const [message] = await readEmailsTo(shop, giver.email);
  expect(message?.text).toContain('Éclair of Winter: €12.00');
  expect(message?.text).toContain('The Salt <Road> & Other "Ways": €9.90');
  expect(message?.text).toContain('€21.90');
  const data = await shop.call('userData', '/user/data', { query: giver.query });
  expect(data.value).toMatchObject({ gifts: [{ giftId: gift.GiftId, titleIds: ['sound', 'book'] }] });
});

test('a code reduces the price of a given cart, and is used once', async () => {
  const code = await insertCode(shop, store, { grants: 'discount:50%' });
  const transId = await authorize(gift, { code, price: 10.95, currency: 'EUR' });
  const responses = await Promise.all(Array.from({ length: 50 }, () => confirmPayment(shop, giver, transId)));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect([await readUsesLeft(shop, code), await countCharges(shop, transId)]).toEqual([0, 1]);
  expect([await readGiftEmails(shop, gift), await selectGiftCodes()].map((items) => items.length)).toEqual([1, 1]);
  expect((await selectPurchases(giver)).map((row) => row.amount_minor)).toEqual([495, 600]);
});

describe('a given cart is one gift despite repetitions and failures', () => {
  test('repeated sessions for a given cart, also after it is paid, belong to one payment', async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => startSession()));
    const [transId, ...otherTransIds] = new Set(responses.map(({ value }) => (value as Session).transId));
    expect(otherTransIds).toEqual([]);
    const [firstSession] = responses.map(({ value }) => value as Session);
    await submitCardForm(firstSession?.url ?? '', CARD_NUMBERS.good);
    await confirmPayment(shop, giver, transId ?? '');
    expect((await startSession()).value).toMatchObject({ transId });
    const rows = await shop.db.selectFrom('transactions').select('id').where('user_id', '=', giver.id).execute();
    expect(rows).toHaveLength(1);
  });

  test('a change of the given cart starts another payment and releases the first', async () => {
    const firstTransId = await authorize();
    await fillCart(shop, giver, ['film']);
    const { transId } = (await startSession()).value as Session;
    expect(transId).not.toBe(firstTransId);
    expect(await readSessionStatus(shop, giver, firstTransId)).toMatchObject({ status: 'cancelled' });
    expect((await confirmPayment(shop, giver, firstTransId)).value).toMatchObject({ code: 'cancelled' });
  });

  test('the sweep sends a given cart whose charge had an unknown outcome', async () => {
    const transId = await authorize();
    portOverrides = { capture: rejectUnknown };
    expect((await confirmPayment(shop, giver, transId)).value).toMatchObject({ code: 'payment_unknown' });
    expect(await readGiftEmails(shop, gift)).toEqual([]);
    portOverrides = {};
    await sweep(shop.services);
    expect(await readSessionStatus(shop, giver, transId)).toMatchObject({ status: 'paid' });
    expect(await readGiftEmails(shop, gift)).toHaveLength(1);
  });

  test('concurrent redemptions of a given cart grant each title once, to a single recipient', async () => {
    await giveCart();
    const code = getCodeFromEmail((await readGiftEmails(shop, gift))[0]);
    const results = await Promise.all(Array.from({ length: 50 }, () => redeemGift(friend, code)));
    expect(new Set(results.map((result) => result.status))).toEqual(new Set(['fulfilled']));
    expect((await selectPurchases(friend)).map((row) => row.title_id)).toEqual(['book', 'sound']);

    const secondGift = makeGift();
    await fillCart(shop, giver, ['book', 'sound']);
    await giveCart(secondGift);
    const secondCode = getCodeFromEmail((await readGiftEmails(shop, secondGift))[0]);
    const candidates: Customer[] = [];
    for (let index = 0; index < 10; index += 1) candidates.push(await createCustomer(shop, store));
    const secondResults = await Promise.all(
      Array.from({ length: 50 }, (_, index) => redeemGift(candidates[index % 10] ?? friend, secondCode)),
    );
    const libraries = await Promise.all(candidates.map(readLibrary));
    expect(libraries.filter((library) => library.length > 0)).toEqual([['book', 'sound']]);
    // The recipient gets the success response each time.
    expect(secondResults.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  test('a saved card pays for a given cart once', async () => {
    const cardId = await saveCard(shop, giver);
    const { transId } = (await startSession(gift, { cardId })).value as Session;
    expect(await readSessionStatus(shop, giver, transId)).toMatchObject({ status: 'authorized' });
    expect(((await startSession(gift, { cardId })).value as Session).transId).toBe(transId);
    expect((await confirmPayment(shop, giver, transId)).status).toBe(200);
    expect([await countCharges(shop, transId), await readGiftEmails(shop, gift)]).toMatchObject([1, [{}]]);
  });
});

describe('recipients with some of the titles', () => {
  test('a recipient who owns some of the titles gets the others; one who owns all leaves the gift redeemable', async () => {
    const bookPayment = await authorizePayment(shop, friend, 'book');
    await confirmPayment(shop, friend, bookPayment.transId);
    await giveCart();
    const code = getCodeFromEmail((await readGiftEmails(shop, gift))[0]);
    const ownerOfAllTitles = await createCustomer(shop, store);
    for (const titleId of ['book', 'sound']) {
      const { transId } = await authorizePayment(shop, ownerOfAllTitles, titleId);
      await confirmPayment(shop, ownerOfAllTitles, transId);
    }
    expect((await lookUpCode(shop, ownerOfAllTitles, code)).value.Owned?.toSorted()).toEqual(['book', 'sound']);
    expect((await redeemTitle(shop, ownerOfAllTitles, code)).value).toMatchObject({ Code: 'already_owned' });
    expect((await lookUpCode(shop, friend, code)).value).toMatchObject({ Owned: ['book'] });
    expect((await redeemTitle(shop, friend, code)).status).toBe(200);
    expect(await readLibrary(friend)).toEqual(['book', 'sound']);
    expect((await selectPurchases(friend)).map((row) => row.kind)).toEqual(['payment', 'code']);
  });

  test('a recipient who is paying for one of the titles can redeem the gift after that payment', async () => {
    await giveCart();
    const code = getCodeFromEmail((await readGiftEmails(shop, gift))[0]);
    await fillCart(shop, friend, ['book', 'film']);
    const { value } = await startCartSession(shop, friend);
    await submitCardForm((value as Session).url, CARD_NUMBERS.good);
    portOverrides = { capture: rejectUnknown };
    await confirmPayment(shop, friend, (value as Session).transId);
    portOverrides = {};
    expect((await redeemTitle(shop, friend, code)).value).toMatchObject({ Code: 'conflict' });
    expect((await confirmPayment(shop, friend, (value as Session).transId)).status).toBe(200);
    expect((await redeemTitle(shop, friend, code)).status).toBe(200);
    expect(await readLibrary(friend)).toEqual(['book', 'film', 'sound']);
  });

  test('the giver of a cart can also buy its titles', async () => {
    await giveCart();
    const { transId } = await authorizePayment(shop, giver, 'book');
    expect((await confirmPayment(shop, giver, transId)).status).toBe(200);
    expect(await readLibrary(giver)).toEqual(['book']);
  });
});
