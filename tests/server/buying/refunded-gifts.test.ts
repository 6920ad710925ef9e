import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { refundRefusedError, type PaymentPort } from '../../../server/payment/port.ts';
import { settleRefund } from '../../../server/payment/refund.ts';
import { purchaseKinds } from '../../../server/purchases/kinds.ts';
import { redeemTitle } from '../support/codes.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { codeInEmail, makeGift, readGifts, createGiftStore, buyGift, emailsOf, resendGift } from '../support/gifts.ts';
import { refundedAtGateway, refund, refundEmails, selectTransaction } from '../support/refunds.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** Faults between the store and the gateway, until a test clears them. */
let portOverrides: Partial<PaymentPort> = {};
const overridablePort = (port: PaymentPort): PaymentPort => ({
  ...port,
  refund: (id) => (portOverrides.refund ?? port.refund)(id),
});

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: overridablePort });
  store = await createGiftStore(shop);
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterEach(() => {
  portOverrides = {};
  vi.restoreAllMocks();
});
afterAll(() => shop.close());

const giveGift = async () => {
  const gift = makeGift();
  const transId = await buyGift(shop, customer, gift);
  return { gift, transId, code: codeInEmail((await emailsOf(shop, gift))[0]) };
};

test('an unopened gift is withdrawn by its refund', async () => {
  const { gift, transId, code } = await giveGift();
  await refund(shop, store, transId);
  expect(await refundedAtGateway(shop, transId)).toBe(990);
  expect(await readGifts(shop, customer)).toMatchObject([{ status: 'refunded' }]);
  expect((await resendGift(shop, customer, { giftId: gift.GiftId })).status).toBe(404);
  const friend = await createCustomer(shop, store);
  expect((await redeemTitle(shop, friend, code)).value).toMatchObject({ Code: 'code_expired' });
  const [message] = await refundEmails(shop, customer);
  expect(message?.text).toContain('The gift can no longer be opened.');
});

test('a gift can be redeemed again when the gateway refuses its refund', async () => {
  vi.spyOn(shop.services.log, 'error').mockReturnValue();
  const { transId, code } = await giveGift();
  const friend = await createCustomer(shop, store);
  portOverrides = {
    // While the refund is unknown, a gift that may be unpaid is not granted.
    async refund() {
      expect((await redeemTitle(shop, friend, code)).value).toMatchObject({ Code: 'code_expired' });
      throw refundRefusedError('No.');
    },
  };
  await expect(refund(shop, store, transId)).rejects.toThrow(/refused to refund/);
  expect((await redeemTitle(shop, friend, code)).status).toBe(200);
});

test('an opened gift is neither refunded nor revoked; if the gateway has refunded it, its recipient keeps it', async () => {
  const { transId, code } = await giveGift();
  const friend = await createCustomer(shop, store);
  await redeemTitle(shop, friend, code);
  await expect(refund(shop, store, transId)).rejects.toThrow(/has been opened: its recipient keeps it\.$/);
  expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'paid' });
  await settleRefund({ db: shop.db, kinds: purchaseKinds }, await selectTransaction(shop, transId), 990);
  expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'refunded' });
  expect(await readGifts(shop, customer)).toMatchObject([{ status: 'redeemed' }]);
  const { value } = await shop.ask('userPurchases', '/user/purchases', { query: friend.query });
  expect(value).toMatchObject({ Purchase: [{ TitleId: 'book' }] });
  const [message] = await refundEmails(shop, customer);
  expect(message?.text).not.toContain('can no longer be opened');
});

test('of eight people who redeem a gift during its refund, either one gets it or its giver gets the money', async () => {
  const { transId, code } = await giveGift();
  const friends = await Promise.all(Array.from({ length: 8 }, () => createCustomer(shop, store)));
  const [back, ...opened] = await Promise.allSettled([
    refund(shop, store, transId),
    ...friends.map((each) => redeemTitle(shop, each, code)),
  ]);
  const gotIt = opened.filter((each) => each.status === 'fulfilled' && each.value.status === 200).length;
  expect((back?.status === 'fulfilled' ? 1 : 0) + gotIt).toBe(1);
  expect(await refundedAtGateway(shop, transId)).toBe(gotIt === 1 ? 0 : 990);
});
