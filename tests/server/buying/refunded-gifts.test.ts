import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { refundRefusedError, type PaymentPort } from '../../../server/payment/port.ts';
import { settleRefund } from '../../../server/payment/refund.ts';
import { purchaseKinds } from '../../../server/purchases/kinds.ts';
import { redeemTitle } from '../support/codes.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { getCodeFromEmail, makeGift, readGifts, createGiftStore, buyGift, readGiftEmails, resendGift } from '../support/gifts.ts';
import { readGatewayRefund, refund, readRefundEmails, selectTransaction } from '../support/refunds.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** Methods of the payment port that tests replace to cause faults. Emptied after each test. */
let portOverrides: Partial<PaymentPort> = {};
const createOverridablePort = (port: PaymentPort): PaymentPort => ({
  ...port,
  refund: (id) => (portOverrides.refund ?? port.refund)(id),
});

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: createOverridablePort });
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
  return { gift, transId, code: getCodeFromEmail((await readGiftEmails(shop, gift))[0]) };
};

test('an unopened gift is withdrawn by its refund', async () => {
  const { gift, transId, code } = await giveGift();
  await refund(shop, store, transId);
  expect(await readGatewayRefund(shop, transId)).toBe(990);
  expect(await readGifts(shop, customer)).toMatchObject([{ status: 'refunded' }]);
  expect((await resendGift(shop, customer, { giftId: gift.GiftId })).status).toBe(404);
  const friend = await createCustomer(shop, store);
  expect((await redeemTitle(shop, friend, code)).value).toMatchObject({ Code: 'code_expired' });
  const [message] = await readRefundEmails(shop, customer);
  expect(message?.text).toContain('The gift can no longer be opened.');
});

test('a gift can be redeemed again when the gateway refuses its refund', async () => {
  vi.spyOn(shop.services.log, 'error').mockReturnValue();
  const { transId, code } = await giveGift();
  const friend = await createCustomer(shop, store);
  portOverrides = {
    // While the refund's outcome is unknown, the gift, which may be unpaid, is not granted.
    async refund() {
      expect((await redeemTitle(shop, friend, code)).value).toMatchObject({ Code: 'code_expired' });
      throw refundRefusedError('No.');
    },
  };
  await expect(refund(shop, store, transId)).rejects.toThrow(/refused to refund/);
  expect((await redeemTitle(shop, friend, code)).status).toBe(200);
});

test('an opened gift is not refunded, and its recipient keeps it even when the gateway has refunded it', async () => {
  const { transId, code } = await giveGift();
  const friend = await createCustomer(shop, store);
  await redeemTitle(shop, friend, code);
  await expect(refund(shop, store, transId)).rejects.toThrow(/has been opened: its recipient keeps it\.$/);
  expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'paid' });
  await settleRefund({ db: shop.db, kinds: purchaseKinds }, await selectTransaction(shop, transId), 990);
  expect(await selectTransaction(shop, transId)).toMatchObject({ status: 'refunded' });
  expect(await readGifts(shop, customer)).toMatchObject([{ status: 'redeemed' }]);
  const { value } = await shop.call('userPurchases', '/user/purchases', { query: friend.query });
  expect(value).toMatchObject({ Purchase: [{ TitleId: 'book' }] });
  const [message] = await readRefundEmails(shop, customer);
  expect(message?.text).not.toContain('can no longer be opened');
});

test('of a refund and eight redemptions of a gift at once, exactly one succeeds', async () => {
  const { transId, code } = await giveGift();
  const friends = await Promise.all(Array.from({ length: 8 }, () => createCustomer(shop, store)));
  const [refundResult, ...redemptions] = await Promise.allSettled([
    refund(shop, store, transId),
    ...friends.map((friend) => redeemTitle(shop, friend, code)),
  ]);
  const redeemedCount = redemptions.filter(
    (redemption) => redemption.status === 'fulfilled' && redemption.value.status === 200,
  ).length;
  expect((refundResult?.status === 'fulfilled' ? 1 : 0) + redeemedCount).toBe(1);
  expect(await readGatewayRefund(shop, transId)).toBe(redeemedCount === 1 ? 0 : 990);
});
