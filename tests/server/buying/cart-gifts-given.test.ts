import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startCartSession, fillCart } from '../support/carts.ts';
import { redeemTitle } from '../support/codes.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { codeInEmail, makeGift, type GiftInfo, readGifts, createGiftStore, emailsOf, resendGift } from '../support/gifts.ts';
import { CARD_NUMBERS, confirmPayment, submitCardForm, type Session } from '../support/paying.ts';
import { refundedAtGateway, refund, refundEmails } from '../support/refunds.ts';
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

const session = (info: object = gift, more: Record<string, string | number> = {}) =>
  startCartSession(shop, giver, { giftInfo: JSON.stringify(info), ...more });
const authorize = async (info: object = gift, more: Record<string, string | number> = {}): Promise<string> => {
  const { value, text } = await session(info, more);
  if ((value as Session).url === undefined) throw new Error(`No payment session: ${text}`);
  await submitCardForm((value as Session).url, CARD_NUMBERS.good);
  return (value as Session).transId;
};
const giveCart = async (info: object = gift): Promise<string> => {
  const transId = await authorize(info);
  const { status, text } = await confirmPayment(shop, giver, transId);
  if (status !== 200) throw new Error(`Not paid: ${text}`);
  return transId;
};
describe('after a cart was given', () => {
  test('its e-mail can be sent again, or to another address with a new code', async () => {
    await giveCart();
    const first = codeInEmail((await emailsOf(shop, gift))[0]);
    const other = makeGift();
    const { value } = await resendGift(shop, giver, { giftId: gift.GiftId, email: other.RecipientEmail });
    expect(value).toMatchObject({ recipientEmail: other.RecipientEmail, titles: [{}, {}] });
    const second = codeInEmail((await emailsOf(shop, other))[0]);
    expect((await redeemTitle(shop, friend, first)).status).toBe(404);
    expect((await redeemTitle(shop, friend, second)).value.Purchase).toHaveLength(2);
  });

  test('an unopened gift is refunded as a whole; an opened one is not refunded', async () => {
    const transId = await giveCart();
    const code = codeInEmail((await emailsOf(shop, gift))[0]);
    await refund(shop, store, transId);
    expect(await refundedAtGateway(shop, transId)).toBe(2190);
    expect(await readGifts(shop, giver)).toMatchObject([{ status: 'refunded' }]);
    expect((await redeemTitle(shop, friend, code)).value).toMatchObject({ Code: 'code_expired' });
    const [message] = await refundEmails(shop, giver);
    expect(message?.text).toContain('The gift can no longer be opened.');
    expect(message?.text).toContain('Éclair of Winter');

    const second = makeGift();
    await fillCart(shop, giver, ['book', 'sound']);
    const kept = await giveCart(second);
    await redeemTitle(shop, friend, codeInEmail((await emailsOf(shop, second))[0]));
    await expect(refund(shop, store, kept)).rejects.toThrow(/has been opened/);
  });

  test('a giver who deletes the account still has the gift delivered', async () => {
    const transId = await authorize();
    await confirmPayment(shop, giver, transId);
    const code = codeInEmail((await emailsOf(shop, gift))[0]);
    const gone = await shop.ask('deleteUser', '/user/delete', {
      query: { shelfid: store },
      headers: { authorization: `Bearer ${giver.query.accesstoken}` },
    });
    expect(gone.status, gone.text).toBe(200);
    expect((await redeemTitle(shop, friend, code)).value.Purchase).toHaveLength(2);
  });
});

describe('giving a cart is refused', () => {
  test('when it is empty, at another price, on a past day, and in a store without gifts', async () => {
    expect((await session(gift, { price: 1, currency: 'EUR' })).value).toMatchObject({ code: 'price_changed', price: 21.9 });
    expect((await session({ ...gift, DeliverOn: '2020-01-01' })).value).toMatchObject({ code: 'gift_day' });
    expect((await session({ ...gift, RecipientEmail: 'nobody' })).value).toMatchObject({ status: 400, code: 'gift_info' });
    const poor = await createCustomer(shop, store);
    expect((await startCartSession(shop, poor, { giftInfo: JSON.stringify(gift) })).value).toMatchObject({ code: 'cart_empty' });
    const giftless = await createCustomer(shop, await shop.store());
    await fillCart(shop, giftless, ['book']);
    expect((await startCartSession(shop, giftless, { giftInfo: JSON.stringify(gift) })).value).toMatchObject({
      code: 'gifting_off',
    });
  });

  test('with the id of another customer’s gift, and with that of a single title’s gift', async () => {
    await giveCart();
    await fillCart(shop, friend, ['book']);
    const stolen = await startCartSession(shop, friend, { giftInfo: JSON.stringify(gift) });
    expect(stolen.value).toMatchObject({ status: 409, code: 'conflict' });
    const single = await shop.ask('paymentSession', '/payment/session', {
      query: { ...giver.query, titleId: 'book', giftInfo: JSON.stringify(gift) },
    });
    expect(single.value).toMatchObject({ status: 409, code: 'conflict' });
  });
});
