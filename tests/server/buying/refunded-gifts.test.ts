import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { noRefund, type PaymentPort } from '../../../server/payment/port.ts';
import { settleRefund } from '../../../server/payment/refund.ts';
import { purchaseKinds } from '../../../server/purchases/kinds.ts';
import { redeemTitle } from '../support/codes.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { codeInLetter, giftFor, giftsOf, giftStore, give, lettersOf, resend } from '../support/gifts.ts';
import { givenBack, refund, refundLetters, transactionOf } from '../support/refunds.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** What goes wrong between the store and the gateway, until a test mends it. */
let trouble: Partial<PaymentPort> = {};
const troubled = (port: PaymentPort): PaymentPort => ({ ...port, refund: (id) => (trouble.refund ?? port.refund)(id) });

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: troubled });
  store = await giftStore(shop);
});
beforeEach(async () => {
  customer = await customerOf(shop, store);
});
afterEach(() => {
  trouble = {};
  vi.restoreAllMocks();
});
afterAll(() => shop.close());

const gifted = async () => {
  const gift = giftFor();
  const transId = await give(shop, customer, gift);
  return { gift, transId, code: codeInLetter((await lettersOf(shop, gift))[0]) };
};

test('a gift that nobody has opened is withdrawn', async () => {
  const { gift, transId, code } = await gifted();
  await refund(shop, store, transId);
  expect(await givenBack(shop, transId)).toBe(990);
  expect(await giftsOf(shop, customer)).toMatchObject([{ status: 'refunded' }]);
  expect((await resend(shop, customer, { giftId: gift.GiftId })).status).toBe(404);
  const friend = await customerOf(shop, store);
  expect((await redeemTitle(shop, friend, code)).value).toMatchObject({ Code: 'code_expired' });
  const [letter] = await refundLetters(shop, customer);
  expect(letter?.text).toContain('Nobody can open the gift any more.');
});

test('a gift whose money the gateway does not give back can be opened after all', async () => {
  vi.spyOn(shop.services.log, 'error').mockReturnValue();
  const { transId, code } = await gifted();
  const friend = await customerOf(shop, store);
  trouble = {
    // Until it is known, nobody gets what may be paid for no more.
    async refund() {
      expect((await redeemTitle(shop, friend, code)).value).toMatchObject({ Code: 'code_expired' });
      throw noRefund('No.');
    },
  };
  await expect(refund(shop, store, transId)).rejects.toThrow(/does not give/);
  expect((await redeemTitle(shop, friend, code)).status).toBe(200);
});

test('a gift that was opened is kept, and so is its money; where the gateway has given it back, it is kept all the same', async () => {
  const { transId, code } = await gifted();
  const friend = await customerOf(shop, store);
  await redeemTitle(shop, friend, code);
  await expect(refund(shop, store, transId)).rejects.toThrow(/has been opened: who opened it keeps it\.$/);
  expect(await transactionOf(shop, transId)).toMatchObject({ status: 'paid' });
  await settleRefund({ db: shop.db, kinds: purchaseKinds }, await transactionOf(shop, transId), 990);
  expect(await transactionOf(shop, transId)).toMatchObject({ status: 'refunded' });
  expect(await giftsOf(shop, customer)).toMatchObject([{ status: 'redeemed' }]);
  const { value } = await shop.ask('userPurchases', '/user/purchases', { query: friend.query });
  expect(value).toMatchObject({ Purchase: [{ TitleId: 'book' }] });
  const [letter] = await refundLetters(shop, customer);
  expect(letter?.text).not.toContain('Nobody can open');
});

test('eight who open a gift at the moment at which it is given back: either one has it, or its giver has the money', async () => {
  const { transId, code } = await gifted();
  const friends = await Promise.all(Array.from({ length: 8 }, () => customerOf(shop, store)));
  const [back, ...opened] = await Promise.allSettled([
    refund(shop, store, transId),
    ...friends.map((each) => redeemTitle(shop, each, code)),
  ]);
  const gotIt = opened.filter((each) => each.status === 'fulfilled' && each.value.status === 200).length;
  expect((back?.status === 'fulfilled' ? 1 : 0) + gotIt).toBe(1);
  expect(await givenBack(shop, transId)).toBe(gotIt === 1 ? 0 : 990);
});
