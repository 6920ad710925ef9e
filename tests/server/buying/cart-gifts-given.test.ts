import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startCartSession, fillCart } from '../support/carts.ts';
import { redeemTitle } from '../support/codes.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import {
  getCodeFromEmail,
  makeGift,
  type GiftInfo,
  readGifts,
  createGiftStore,
  readGiftEmails,
  resendGift,
} from '../support/gifts.ts';
import { CARD_NUMBERS, confirmPayment, submitCardForm, type Session } from '../support/paying.ts';
import { readGatewayRefund, refund, readRefundEmails } from '../support/refunds.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
let giver: Customer;
let friend: Customer;
let gift: GiftInfo & { GiftId: string };
beforeAll(async () => {
  shop = await openShop();
  store = await createGiftStore(shop);
});
beforeEach(async () => {
  giver = await createCustomer(shop, store);
  friend = await createCustomer(shop, store);
  gift = makeGift();
  await fillCart(shop, giver, ['book', 'sound', 'gratis']);
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

describe('after a cart was given', () => {
  test('a given cart’s e-mail can be sent to another address, with a new code that replaces the first', async () => {
    await giveCart();
    const firstCode = getCodeFromEmail((await readGiftEmails(shop, gift))[0]);
    const otherGift = makeGift();
    const { value } = await resendGift(shop, giver, { giftId: gift.GiftId, email: otherGift.RecipientEmail });
    expect(value).toMatchObject({ recipientEmail: otherGift.RecipientEmail, titles: [{}, {}] });
    const secondCode = getCodeFromEmail((await readGiftEmails(shop, otherGift))[0]);
    expect((await redeemTitle(shop, friend, firstCode)).status).toBe(404);
    expect((await redeemTitle(shop, friend, secondCode)).value.Purchase).toHaveLength(2);
  });

  test('an unopened given cart is refunded as a whole; an opened one is not refunded', async () => {
    const transId = await giveCart();
    const code = getCodeFromEmail((await readGiftEmails(shop, gift))[0]);
    await refund(shop, store, transId);
    expect(await readGatewayRefund(shop, transId)).toBe(2190);
    expect(await readGifts(shop, giver)).toMatchObject([{ status: 'refunded' }]);
    expect((await redeemTitle(shop, friend, code)).value).toMatchObject({ Code: 'code_expired' });
    const [message] = await readRefundEmails(shop, giver);
    expect(message?.text).toContain('The gift can no longer be opened.');
    expect(message?.text).toContain('Éclair of Winter');

    const secondGift = makeGift();
    await fillCart(shop, giver, ['book', 'sound']);
    const secondTransId = await giveCart(secondGift);
    await redeemTitle(shop, friend, getCodeFromEmail((await readGiftEmails(shop, secondGift))[0]));
    await expect(refund(shop, store, secondTransId)).rejects.toThrow(/has been opened/);
  });

  test('a given cart can be redeemed after its giver has deleted the account', async () => {
    const transId = await authorize();
    await confirmPayment(shop, giver, transId);
    const code = getCodeFromEmail((await readGiftEmails(shop, gift))[0]);
    const deletionResponse = await shop.call('deleteUser', '/user/delete', {
      query: { shelfid: store },
      headers: { authorization: `Bearer ${giver.query.accesstoken}` },
    });
    expect(deletionResponse.status, deletionResponse.text).toBe(200);
    expect((await redeemTitle(shop, friend, code)).value.Purchase).toHaveLength(2);
  });
});

describe('refused gifts of a cart', () => {
  test('a cart cannot be given when it is empty, at another price, on a past day, to an invalid address, or in a store without gifts', async () => {
    expect((await startSession(gift, { price: 1, currency: 'EUR' })).value).toMatchObject({ code: 'price_changed', price: 21.9 });
    expect((await startSession({ ...gift, DeliverOn: '2020-01-01' })).value).toMatchObject({ code: 'gift_day' });
    expect((await startSession({ ...gift, RecipientEmail: 'nobody' })).value).toMatchObject({ status: 400, code: 'gift_info' });
    const customerWithEmptyCart = await createCustomer(shop, store);
    expect((await startCartSession(shop, customerWithEmptyCart, { giftInfo: JSON.stringify(gift) })).value).toMatchObject({
      code: 'cart_empty',
    });
    const customerOfGiftlessStore = await createCustomer(shop, await shop.store());
    await fillCart(shop, customerOfGiftlessStore, ['book']);
    expect((await startCartSession(shop, customerOfGiftlessStore, { giftInfo: JSON.stringify(gift) })).value).toMatchObject({
      code: 'gifting_off',
    });
  });

  test('a given cart’s gift id cannot be used by another customer or for a single title', async () => {
    await giveCart();
    await fillCart(shop, friend, ['book']);
    const otherCustomerResponse = await startCartSession(shop, friend, { giftInfo: JSON.stringify(gift) });
    expect(otherCustomerResponse.value).toMatchObject({ status: 409, code: 'conflict' });
    const singleTitleResponse = await shop.call('paymentSession', '/payment/session', {
      query: { ...giver.query, titleId: 'book', giftInfo: JSON.stringify(gift) },
    });
    expect(singleTitleResponse.value).toMatchObject({ status: 409, code: 'conflict' });
  });
});
