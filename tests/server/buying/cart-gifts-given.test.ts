import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { beginCart, fill } from '../support/carts.ts';
import { redeemTitle } from '../support/codes.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { codeInLetter, giftFor, type GiftInfo, giftsOf, giftStore, lettersOf, resend } from '../support/gifts.ts';
import { CARDS, confirm, pay, type Session } from '../support/paying.ts';
import { givenBack, refund, refundLetters } from '../support/refunds.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
let giver: Customer;
let friend: Customer;
let gift: GiftInfo & { GiftId: string };
beforeAll(async () => {
  shop = await openShop();
  store = await giftStore(shop);
});
beforeEach(async () => {
  giver = await customerOf(shop, store);
  friend = await customerOf(shop, store);
  gift = giftFor();
  await fill(shop, giver, ['book', 'sound', 'gratis']);
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
describe('afterwards', () => {
  test('it is sent again, and to another address with a code of its own', async () => {
    await give();
    const first = codeInLetter((await lettersOf(shop, gift))[0]);
    const other = giftFor();
    const { value } = await resend(shop, giver, { giftId: gift.GiftId, email: other.RecipientEmail });
    expect(value).toMatchObject({ recipientEmail: other.RecipientEmail, titles: [{}, {}] });
    const second = codeInLetter((await lettersOf(shop, other))[0]);
    expect((await redeemTitle(shop, friend, first)).status).toBe(404);
    expect((await redeemTitle(shop, friend, second)).value.Purchase).toHaveLength(2);
  });

  test('one that nobody has opened goes back as a whole; one that was opened is kept', async () => {
    const transId = await give();
    const code = codeInLetter((await lettersOf(shop, gift))[0]);
    await refund(shop, store, transId);
    expect(await givenBack(shop, transId)).toBe(2190);
    expect(await giftsOf(shop, giver)).toMatchObject([{ status: 'refunded' }]);
    expect((await redeemTitle(shop, friend, code)).value).toMatchObject({ Code: 'code_expired' });
    const [letter] = await refundLetters(shop, giver);
    expect(letter?.text).toContain('Nobody can open the gift any more.');
    expect(letter?.text).toContain('Éclair of Winter');

    const second = giftFor();
    await fill(shop, giver, ['book', 'sound']);
    const kept = await give(second);
    await redeemTitle(shop, friend, codeInLetter((await lettersOf(shop, second))[0]));
    await expect(refund(shop, store, kept)).rejects.toThrow(/has been opened/);
  });

  test('a giver who leaves the shop has their gift delivered', async () => {
    const transId = await authorize();
    await confirm(shop, giver, transId);
    const code = codeInLetter((await lettersOf(shop, gift))[0]);
    const gone = await shop.ask('deleteUser', '/user/delete', {
      query: { shelfid: store },
      headers: { authorization: `Bearer ${giver.query.accesstoken}` },
    });
    expect(gone.status, gone.text).toBe(200);
    expect((await redeemTitle(shop, friend, code)).value.Purchase).toHaveLength(2);
  });
});

describe('what is refused', () => {
  test('an empty cart, another price, a day that has passed, and a store without gifts', async () => {
    expect((await session(gift, { price: 1, currency: 'EUR' })).value).toMatchObject({ code: 'price_changed', price: 21.9 });
    expect((await session({ ...gift, DeliverOn: '2020-01-01' })).value).toMatchObject({ code: 'gift_day' });
    expect((await session({ ...gift, RecipientEmail: 'nobody' })).value).toMatchObject({ status: 400, code: 'gift_info' });
    const poor = await customerOf(shop, store);
    expect((await beginCart(shop, poor, { giftInfo: JSON.stringify(gift) })).value).toMatchObject({ code: 'cart_empty' });
    const giftless = await customerOf(shop, await shop.store());
    await fill(shop, giftless, ['book']);
    expect((await beginCart(shop, giftless, { giftInfo: JSON.stringify(gift) })).value).toMatchObject({ code: 'gifting_off' });
  });

  test('the id of somebody else’s gift, and of one title’s', async () => {
    await give();
    await fill(shop, friend, ['book']);
    const stolen = await beginCart(shop, friend, { giftInfo: JSON.stringify(gift) });
    expect(stolen.value).toMatchObject({ status: 409, code: 'conflict' });
    const single = await shop.ask('paymentSession', '/payment/session', {
      query: { ...giver.query, titleId: 'book', giftInfo: JSON.stringify(gift) },
    });
    expect(single.value).toMatchObject({ status: 409, code: 'conflict' });
  });
});
