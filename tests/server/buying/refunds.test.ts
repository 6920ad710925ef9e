import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { formatOrderNumber } from '../../../machines/model/buying/order-number.ts';
import { BadOperation } from '../../../server/kernel/bad-operation.ts';
import type { OperationInput, OperationContext } from '../../../server/admin/operation-input.ts';
import { handleWebhook } from '../../../server/jobs/webhook-handler.ts';
import { findLedgerFaults } from '../../../server/payment/ledger.ts';
import { refundRefusedError, type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { settleRefund } from '../../../server/payment/refund.ts';
import { purchaseKinds } from '../../../server/purchases/kinds.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { bookCredits } from '../../../server/subscriptions/credits.ts';
import { authorizeCart, fillCart } from '../support/carts.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { authorizePayment, confirmPayment, countHoldings, readSessionStatus } from '../support/paying.ts';
import {
  readGatewayRefund as readRefundedAtGateway,
  refund as refundOrder,
  readRefundEmails,
  selectTransaction,
} from '../support/refunds.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { makeStore } from '../support/stores.ts';
import { insertPlan, subscribe } from '../support/subscriptions.ts';

/** Methods of the payment port that tests replace to cause faults. Emptied after each test. */
let portOverrides: Partial<PaymentPort> = {};
const createOverridablePort = (port: PaymentPort): PaymentPort => ({
  ...port,
  refund: (id) => (portOverrides.refund ?? port.refund)(id),
  readRefunds: (id) => (portOverrides.readRefunds ?? port.readRefunds)(id),
  refundLastPayment: (id) => (portOverrides.refundLastPayment ?? port.refundLastPayment)(id),
});

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: createOverridablePort });
  store = await shop.store({
    properties: { EnableBuyWithCredits: true, CreditCurrency: 'Tokens' },
    titles: (makeStore('any').titles ?? []).map((title) => (title.id === 'book' ? { ...title, credits: 2 } : title)),
  });
  await insertPlan(shop, store, {});
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterEach(async () => {
  portOverrides = {};
  vi.restoreAllMocks();
  expect(await findLedgerFaults(shop.db)).toEqual([]);
});
afterAll(() => shop.close());

const buyTitle = async (titleId = 'book'): Promise<string> => {
  const { transId } = await authorizePayment(shop, customer, titleId);
  await confirmPayment(shop, customer, transId);
  return transId;
};
const refund = (order: string, input: OperationInput = {}, operator: OperationContext = shop.services) =>
  refundOrder(shop, store, order, input, operator);
const selectTransactionRow = (id: string) => selectTransaction(shop, id);
const readRefundedAmount = (id: string) => readRefundedAtGateway(shop, id);
const readLedger = async (id: string) => {
  const rows = await shop.db
    .selectFrom('ledger')
    .select(['account', 'amount'])
    .where('cause', 'like', `refund of ${id}%`)
    .orderBy('account')
    .execute();
  return rows.map(({ account, amount }) => [account, amount]);
};
const readLibrary = async () =>
  (await shop.call('userPurchases', '/user/purchases', { query: customer.query })).value as {
    Purchase: { TitleId: string }[];
    Refund?: Record<string, unknown>[];
  };
const readReceipt = async (transId: string) =>
  (await shop.call('purchaseInfo', '/purchase/info', { query: { ...customer.query, transId } })).value as Record<string, unknown>;
const rejectUnknown = () => Promise.reject(new PaymentUnknown(new Error('no response')));

test('a title refunded by its order number leaves the library, and library, receipt and e-mail show the refund', async () => {
  const transId = await buyTitle();
  const result = await refund(formatOrderNumber(transId));
  expect(result.message).toMatch(/^9\.9 EUR of the order .* was refunded to .*, and its titles were taken back\.$/);
  expect(result.rows).toMatchObject([{ order: transId, amount: 9.9, currency: 'EUR', status: 'refunded' }]);
  expect(await readRefundedAmount(transId)).toBe(990);
  expect(await readLedger(transId)).toEqual([
    ['gateway', -990],
    ['refunds', 990],
  ]);
  expect(await countHoldings(shop, customer, 'book')).toEqual({ purchases: 1, copies: 0, paid: 0 });
  const { Purchase, Refund } = await readLibrary();
  expect(Purchase).toEqual([]);
  expect(Refund).toMatchObject([{ TransId: transId, TitleId: 'book', Titles: 1, Amount: 9.9, Currency: 'EUR', Recent: true }]);
  expect(await readReceipt(transId)).toMatchObject({ amount: 9.9, refunded: 9.9, refundedAt: expect.any(String) as string });
  expect(await readSessionStatus(shop, customer, transId)).toMatchObject({ status: 'paid' });
  const [message, ...otherEmails] = await readRefundEmails(shop, customer);
  expect(otherEmails).toEqual([]);
  expect(message?.subject).toMatch(/^Your refund from /);
  expect(message?.text).toContain('Amount refunded: €9.90');
  expect(message?.text).toContain('What you bought is no longer in your library.');
  expect(message?.text).toContain(`/title/purchase/success?transId=${transId}`);
});

test('a refunded payment that is confirmed again is refused as refunded, and its titles stay taken back', async () => {
  const transId = await buyTitle();
  await refund(transId);
  expect((await confirmPayment(shop, customer, transId)).value).toMatchObject({ status: 409, code: 'refunded' });
  expect(await countHoldings(shop, customer, 'book')).toMatchObject({ copies: 0, paid: 0 });
});

test('a refunded title can be bought again, and is shown as refunded for a month', async () => {
  const firstTransId = await buyTitle();
  await refund(firstTransId);
  const secondTransId = await buyTitle();
  expect(secondTransId).not.toBe(firstTransId);
  expect(await countHoldings(shop, customer, 'book')).toEqual({ purchases: 2, copies: 1, paid: 1 });
  // Refunding the first order again does not affect the second.
  expect((await refund(firstTransId)).message).toMatch(/was already refunded/);
  expect(await countHoldings(shop, customer, 'book')).toMatchObject({ copies: 1 });
  expect((await readLibrary()).Refund).toHaveLength(1);
  const longAgo = new Date(Date.now() - 31 * 24 * 60 * 60_000);
  await shop.db.updateTable('purchases').set({ refunded_at: longAgo }).where('transaction_id', '=', firstTransId).execute();
  const [refundEntry] = (await readLibrary()).Refund ?? [];
  expect([refundEntry?.['TransId'], refundEntry?.['Recent'] ?? false]).toEqual([firstTransId, false]);
});

test('eight concurrent refunds return the money once', async () => {
  const transId = await buyTitle();
  const results = await Promise.all(Array.from({ length: 8 }, () => refund(transId)));
  expect(results.map(({ rows }) => rows[0]?.['status'])).toEqual(Array.from({ length: 8 }, () => 'refunded'));
  expect(await readLedger(transId)).toHaveLength(2);
  expect(await readRefundedAmount(transId)).toBe(990);
  expect(await readRefundEmails(shop, customer)).toHaveLength(1);
});

test('a dry run of a refund reports what would be refunded, and refunds nothing', async () => {
  const transId = await buyTitle();
  expect((await refund(transId, { dryRun: true })).message).toMatch(/^9\.9 EUR of the order .* could be refunded to /);
  expect(await selectTransactionRow(transId)).toMatchObject({ status: 'paid', refunded_minor: 0 });
  expect(await readRefundedAmount(transId)).toBe(0);
});

test('the sweep completes a refund without response; until then the customer owns the title', async () => {
  const transId = await buyTitle();
  portOverrides = {
    refund: async (id) => {
      await shop.gateway.port.refund(id);
      return rejectUnknown();
    },
  };
  expect((await refund(transId)).message).toMatch(/the gateway did not answer, and is retried\.$/);
  expect(await selectTransactionRow(transId)).toMatchObject({ status: 'refunding', finished: false });
  expect(await countHoldings(shop, customer, 'book')).toMatchObject({ copies: 1 });
  expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
  portOverrides = {};
  await sweep(shop.services);
  await sweep(shop.services);
  expect(await selectTransactionRow(transId)).toMatchObject({ status: 'refunded', finished: true, refunded_minor: 990 });
  expect(await countHoldings(shop, customer, 'book')).toMatchObject({ copies: 0 });
  expect(await readLedger(transId)).toHaveLength(2);
});

test('a refund that did not reach the gateway is retried by the next webhook', async () => {
  const transId = await buyTitle();
  portOverrides = { refund: rejectUnknown };
  await refund(transId);
  expect(await readRefundedAmount(transId)).toBe(0);
  portOverrides = {};
  await handleWebhook(shop.services, `${store}/${transId}`);
  expect(await selectTransactionRow(transId)).toMatchObject({ status: 'refunded' });
  expect(await readRefundedAmount(transId)).toBe(990);
});

test('without a running shop the refund is stored, and the shop makes it when it runs', async () => {
  const transId = await buyTitle();
  const result = await refund(transId, {}, { db: shop.db, config: shop.services.config });
  expect(result.message).toMatch(/will be refunded to .* as soon as the shop runs\.$/);
  expect(await readRefundedAmount(transId)).toBe(0);
  await sweep(shop.services);
  expect(await selectTransactionRow(transId)).toMatchObject({ status: 'refunded' });
});

test('a purchase whose refund the gateway refuses stays, and the operator sees the reason', async () => {
  vi.spyOn(shop.services.log, 'error').mockReturnValue();
  const transId = await buyTitle();
  portOverrides = { refund: () => Promise.reject(refundRefusedError('There is not enough in your account.')) };
  await expect(refund(transId)).rejects.toThrow(/refused to refund the order .*: There is not enough in your account\.$/);
  expect(await selectTransactionRow(transId)).toMatchObject({ status: 'paid', finished: true, refunded_minor: 0 });
  expect(await countHoldings(shop, customer, 'book')).toEqual({ purchases: 1, copies: 1, paid: 1 });
});

test('refunding a cart revokes all its titles', async () => {
  await fillCart(shop, customer, ['book', 'film']);
  const { transId } = await authorizeCart(shop, customer);
  await confirmPayment(shop, customer, transId);
  await refund(transId);
  const { Purchase, Refund } = await readLibrary();
  expect(Purchase).toEqual([]);
  expect(Refund).toMatchObject([{ TransId: transId, Titles: 2, Amount: 13.4 }]);
});

test('a partial refund is booked and reported, also when webhooks arrive out of order, and the title stays', async () => {
  const transId = await buyTitle();
  const paidTransaction = await selectTransactionRow(transId);
  for (const refundedMinor of [300, 200, 300])
    await settleRefund({ db: shop.db, kinds: purchaseKinds }, paidTransaction, refundedMinor);
  expect(await selectTransactionRow(transId)).toMatchObject({ status: 'paid', refunded_minor: 300 });
  expect(await countHoldings(shop, customer, 'book')).toEqual({ purchases: 1, copies: 1, paid: 1 });
  expect(await readReceipt(transId)).toMatchObject({ amount: 9.9, refunded: 3 });
  expect(await readReceipt(transId)).not.toHaveProperty('refundedAt');
  const [message] = await readRefundEmails(shop, customer);
  expect(message?.text).toContain('Amount refunded: €3.00 of €9.90');
  expect(message?.text).not.toContain('no longer in your library');
  await refund(transId);
  expect(await selectTransactionRow(transId)).toMatchObject({ status: 'refunded', refunded_minor: 990 });
  expect(new Set((await readLedger(transId)).map(String))).toEqual(
    new Set(['gateway,-300', 'gateway,-690', 'refunds,300', 'refunds,690']),
  );
});

test('a customer who bought a title twice keeps it when one purchase is refunded', async () => {
  const transId = await buyTitle();
  const otherPurchase = {
    store_id: store,
    user_id: customer.id,
    title_id: 'book',
    amount_minor: 990,
    currency: 'EUR',
    credits: null,
  };
  await shop.db
    .insertInto('purchases')
    .values({ ...otherPurchase, id: 'another', kind: 'payment', transaction_id: null })
    .execute();
  await refund(transId);
  expect(await countHoldings(shop, customer, 'book')).toMatchObject({ copies: 1 });
  expect((await readLibrary()).Purchase).toMatchObject([{ TitleId: 'book', TransId: 'another' }]);
});

test.each([
  ['nothing', '', /must be a text/],
  ['an order that does not exist', 'ABCD-1234', /has no order ABCD-1234/],
] as const)('a refund of %s is refused', async (_, order, expectedError) => {
  await expect(refund(order)).rejects.toThrow(BadOperation);
  await expect(refund(order)).rejects.toThrow(expectedError);
});

test('an unpaid order is not refunded, and the reason is reported', async () => {
  const { transId } = await authorizePayment(shop, customer, 'film');
  await expect(refund(transId)).rejects.toThrow(/was not paid: it is (pending|authorized)\.$/);
});

describe('refunds of subscriptions', () => {
  const readOwnSubscription = async () =>
    (
      (await shop.call('ownSubscription', '/user/subscription', { query: customer.query })).value as {
        subscription: Record<string, unknown>;
      }
    ).subscription;
  const selectSubscriptionRow = (id: string) =>
    shop.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  test('a subscription’s refund ends it and its renewals, and the account and an e-mail show the refund', async () => {
    const id = await subscribe(shop, customer);
    expect((await refund(formatOrderNumber(id), { dryRun: true })).message).toMatch(
      /9 EUR, could be refunded to .*, which would end it\.$/,
    );
    expect(await readOwnSubscription()).toMatchObject({ status: 'active', refunded: null });
    const result = await refund(formatOrderNumber(id));
    expect(result.message).toMatch(
      /^The last payment of the subscription .*, 9 EUR, was refunded to .*, and the subscription has ended\.$/,
    );
    expect(result.rows).toMatchObject([{ order: id, amount: 9, currency: 'EUR', status: 'refunded' }]);
    expect(await readLedger(id)).toEqual([
      ['gateway', -900],
      ['refunds', 900],
    ]);
    expect(await readOwnSubscription()).toMatchObject({ status: 'ended', refunded: { amount: 9 } });
    const statusResponse = await shop.call('subscriptionStatus', '/subscription/status', { query: customer.query });
    expect(statusResponse.value).toEqual({ subscribed: false, data: null });
    const [message, ...otherEmails] = await readRefundEmails(shop, customer);
    expect(otherEmails).toEqual([]);
    expect(message?.text).toContain('Amount refunded: €9.00');
    expect(message?.text).toContain('Your subscription has ended, and you won’t be charged again.');
    await sweep(shop.services);
    const { provider_id: gatewayId, cancel_told: isCancellationSent } = await selectSubscriptionRow(id);
    expect(isCancellationSent).toBe(true);
    expect(await shop.gateway.port.readSubscription(gatewayId ?? '')).toMatchObject({ state: 'ended', cancelled: true });
    expect((await refund(id)).message).toMatch(/was already refunded to .*\.$/);
    expect(await readLedger(id)).toHaveLength(2);
  });

  test('a subscription’s refund without response is made once, by any job that retries it', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const id = await subscribe(shop, customer);
    portOverrides = {
      refundLastPayment: async (gatewayId) => shop.gateway.port.refundLastPayment(gatewayId).then(rejectUnknown),
    };
    expect((await refund(id)).message).toMatch(/will be refunded .*: the gateway has not answered, and is retried\.$/);
    portOverrides = {};
    await Promise.all([sweep(shop.services), handleWebhook(shop.services, `${store}/${id}`), sweep(shop.services)]);
    expect(await selectSubscriptionRow(id)).toMatchObject({ status: 'ended', refunded_minor: 900, refunding: false });
    expect(await readLedger(id)).toHaveLength(2);
    expect(await readRefundEmails(shop, customer)).toHaveLength(1);
  });

  test('a subscription whose refund the gateway refuses keeps running, and the operator sees the reason', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const id = await subscribe(shop, customer);
    portOverrides = { refundLastPayment: () => Promise.reject(refundRefusedError('Too late.')) };
    await expect(refund(id)).rejects.toThrow(/refused to refund the payment of .*: Too late\.$/);
    expect(await selectSubscriptionRow(id)).toMatchObject({ status: 'active', refunding: false, refunded_minor: 0 });
  });

  test('a partial refund at the gateway leaves the subscription running, and is booked and reported once', async () => {
    const id = await subscribe(shop, customer);
    portOverrides = { readRefunds: async () => ({ totalMinor: 300, isLastWhole: false }) };
    await Promise.all([1, 2, 3].map(() => handleWebhook(shop.services, `${store}/${id}`)));
    expect(await readOwnSubscription()).toMatchObject({ status: 'active', refunded: { amount: 3 } });
    expect(await readLedger(id)).toEqual([
      ['gateway', -300],
      ['refunds', 300],
    ]);
    expect(await readRefundEmails(shop, customer)).toHaveLength(1);
    portOverrides = { readRefunds: async () => ({ totalMinor: 900, isLastWhole: true }) };
    await handleWebhook(shop.services, `${store}/${id}`);
    expect(await readOwnSubscription()).toMatchObject({ status: 'ended', refunded: { amount: 9 } });
    expect(await readRefundEmails(shop, customer)).toHaveLength(2);
  });

  test('a subscription in its trial has no payment to refund', async () => {
    await insertPlan(shop, store, { id: 'tried', trial_days: 7 });
    await expect(refund(await subscribe(shop, customer, 'tried'))).rejects.toThrow(/has no payment to refund yet\.$/);
  });
});

test('credits spent on a title are refunded once', async () => {
  await bookCredits(shop.db, { storeId: store, userId: customer.id }, { cause: 'a gift', amount: 5 });
  const { value } = await shop.call('buyWithCredits', '/purchase/credits', {
    query: customer.query,
    body: { titleId: 'book', credits: 2, creditCurrency: 'Tokens' },
  });
  const { transId } = value as { transId: string };
  await Promise.all([refund(transId), refund(transId), refund(formatOrderNumber(transId))]);
  expect((await refund(transId)).message).toMatch(/^2 credits of the order .* were already refunded to /);
  const balance = await shop.call('creditBalance', '/credits/balance', { query: customer.query });
  expect(balance.value).toMatchObject({ CreditBalance: 5 });
  const { Purchase, Refund } = await readLibrary();
  expect(Purchase).toEqual([]);
  expect(Refund).toMatchObject([{ TransId: transId, Credits: 2 }]);
});
