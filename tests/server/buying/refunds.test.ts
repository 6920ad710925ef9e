import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { shortNumber } from '../../../machines/model/buying/order-number.ts';
import { BadOperation } from '../../../server/kernel/bad-operation.ts';
import type { Given, Operator } from '../../../server/admin/given.ts';
import { hear } from '../../../server/jobs/hear.ts';
import { ledgerFaults } from '../../../server/payment/ledger.ts';
import { noRefund, type PaymentPort, PaymentUnknown } from '../../../server/payment/port.ts';
import { settleRefund } from '../../../server/payment/refund.ts';
import { purchaseKinds } from '../../../server/purchases/kinds.ts';
import { sweep } from '../../../server/jobs/sweep.ts';
import { bookCredits } from '../../../server/subscriptions/credits.ts';
import { authorizedCart, fill } from '../support/carts.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { authorized, confirm, holdings, statusOf } from '../support/paying.ts';
import { givenBack as givenBackIn, refund as refundIn, refundLetters, transactionOf } from '../support/refunds.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { storeOf } from '../support/stores.ts';
import { planIn, subscribe } from '../support/subscriptions.ts';

/** What goes wrong between the store and the gateway, until a test mends it. */
let trouble: Partial<PaymentPort> = {};
const troubled = (port: PaymentPort): PaymentPort => ({
  ...port,
  refund: (id) => (trouble.refund ?? port.refund)(id),
  readRefunds: (id) => (trouble.readRefunds ?? port.readRefunds)(id),
  refundSubscription: (id) => (trouble.refundSubscription ?? port.refundSubscription)(id),
});

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ payment: troubled });
  store = await shop.store({
    properties: { EnableBuyWithCredits: true, CreditCurrency: 'Tokens' },
    titles: (storeOf('any').titles ?? []).map((title) => (title.id === 'book' ? { ...title, credits: 2 } : title)),
  });
  await planIn(shop, store, {});
});
beforeEach(async () => {
  customer = await customerOf(shop, store);
});
afterEach(async () => {
  trouble = {};
  vi.restoreAllMocks();
  expect(await ledgerFaults(shop.db)).toEqual([]);
});
afterAll(() => shop.close());

const bought = async (titleId = 'book'): Promise<string> => {
  const { transId } = await authorized(shop, customer, titleId);
  await confirm(shop, customer, transId);
  return transId;
};
const refund = (order: string, more: Given = {}, operator: Operator = shop.services) =>
  refundIn(shop, store, order, more, operator);
const row = (id: string) => transactionOf(shop, id);
const givenBack = (id: string) => givenBackIn(shop, id);
const booked = async (id: string) => {
  const rows = await shop.db
    .selectFrom('ledger')
    .select(['account', 'amount'])
    .where('cause', 'like', `refund of ${id}%`)
    .orderBy('account')
    .execute();
  return rows.map(({ account, amount }) => [account, amount]);
};
const library = async () =>
  (await shop.ask('userPurchases', '/user/purchases', { query: customer.query })).value as {
    Purchase: { TitleId: string }[];
    Refund?: Record<string, unknown>[];
  };
const receipt = async (transId: string) =>
  (await shop.ask('purchaseInfo', '/purchase/info', { query: { ...customer.query, transId } })).value as Record<string, unknown>;
const failing = () => Promise.reject(new PaymentUnknown(new Error('silence')));

test('an operator gives a title’s money back by the number of its receipt: the title leaves, and library, receipt and a letter say so', async () => {
  const transId = await bought();
  const told = await refund(shortNumber(transId));
  expect(told.says).toMatch(/^9\.9 EUR of the order .* went back to .*, and what it paid for is taken back\.$/);
  expect(told.rows).toMatchObject([{ order: transId, amount: 9.9, currency: 'EUR', status: 'refunded' }]);
  expect(await givenBack(transId)).toBe(990);
  expect(await booked(transId)).toEqual([
    ['gateway', -990],
    ['refunds', 990],
  ]);
  expect(await holdings(shop, customer, 'book')).toEqual({ purchases: 1, copies: 0, paid: 0 });
  const { Purchase, Refund } = await library();
  expect(Purchase).toEqual([]);
  expect(Refund).toMatchObject([{ TransId: transId, TitleId: 'book', Titles: 1, Amount: 9.9, Currency: 'EUR', Recent: true }]);
  expect(await receipt(transId)).toMatchObject({ amount: 9.9, refunded: 9.9, refundedAt: expect.any(String) as string });
  expect(await statusOf(shop, customer, transId)).toMatchObject({ status: 'paid' });
  const [letter, ...others] = await refundLetters(shop, customer);
  expect(others).toEqual([]);
  expect(letter?.subject).toMatch(/^Your refund from /);
  expect(letter?.text).toContain('Amount refunded: €9.90');
  expect(letter?.text).toContain('What you bought is no longer in your library.');
  expect(letter?.text).toContain(`/title/purchase/success?transId=${transId}`);
});

test('a title that was given back can be bought again, and is told of as new no longer than a month', async () => {
  const first = await bought();
  await refund(first);
  const second = await bought();
  expect(second).not.toBe(first);
  expect(await holdings(shop, customer, 'book')).toEqual({ purchases: 2, copies: 1, paid: 1 });
  // The first is given back once more: that is none of the second's.
  expect((await refund(first)).says).toMatch(/was given back before/);
  expect(await holdings(shop, customer, 'book')).toMatchObject({ copies: 1 });
  expect((await library()).Refund).toHaveLength(1);
  const longAgo = new Date(Date.now() - 31 * 24 * 60 * 60_000);
  await shop.db.updateTable('purchases').set({ refunded_at: longAgo }).where('transaction_id', '=', first).execute();
  const [told] = (await library()).Refund ?? [];
  expect([told?.['TransId'], told?.['Recent'] ?? false]).toEqual([first, false]);
});

test('ordered eight times at once, the money goes back once', async () => {
  const transId = await bought();
  const answers = await Promise.all(Array.from({ length: 8 }, () => refund(transId)));
  expect(answers.map(({ rows }) => rows[0]?.['status'])).toEqual(Array.from({ length: 8 }, () => 'refunded'));
  expect(await booked(transId)).toHaveLength(2);
  expect(await givenBack(transId)).toBe(990);
  expect(await refundLetters(shop, customer)).toHaveLength(1);
});

test('a dry run says what could be done, and does nothing', async () => {
  const transId = await bought();
  expect((await refund(transId, { dryRun: true })).says).toMatch(/^9\.9 EUR of the order .* could go back to /);
  expect(await row(transId)).toMatchObject({ status: 'paid', refunded_minor: 0 });
  expect(await givenBack(transId)).toBe(0);
});

test('an answer that is lost leaves it to the sweep; until then the title is the customer’s', async () => {
  const transId = await bought();
  trouble = {
    refund: async (id) => {
      await shop.gateway.port.refund(id);
      return failing();
    },
  };
  expect((await refund(transId)).says).toMatch(/the gateway has not answered yet, and is asked again\.$/);
  expect(await row(transId)).toMatchObject({ status: 'refunding', finished: false });
  expect(await holdings(shop, customer, 'book')).toMatchObject({ copies: 1 });
  expect((await confirm(shop, customer, transId)).status).toBe(200);
  trouble = {};
  await sweep(shop.services);
  await sweep(shop.services);
  expect(await row(transId)).toMatchObject({ status: 'refunded', finished: true, refunded_minor: 990 });
  expect(await holdings(shop, customer, 'book')).toMatchObject({ copies: 0 });
  expect(await booked(transId)).toHaveLength(2);
});

test('a gateway that was never reached is asked by the next news or sweep', async () => {
  const transId = await bought();
  trouble = { refund: failing };
  await refund(transId);
  expect(await givenBack(transId)).toBe(0);
  trouble = {};
  await hear(shop.services, `${store}/${transId}`);
  expect(await row(transId)).toMatchObject({ status: 'refunded' });
  expect(await givenBack(transId)).toBe(990);
});

test('without a running shop it is written down, and the shop gives it back when it runs', async () => {
  const transId = await bought();
  const told = await refund(transId, {}, { db: shop.db, config: shop.services.config });
  expect(told.says).toMatch(/the shop gives it back as soon as it runs\.$/);
  expect(await givenBack(transId)).toBe(0);
  await sweep(shop.services);
  expect(await row(transId)).toMatchObject({ status: 'refunded' });
});

test('what the gateway does not give back stays bought, and the operator hears why', async () => {
  vi.spyOn(shop.services.log, 'error').mockReturnValue();
  const transId = await bought();
  trouble = { refund: () => Promise.reject(noRefund('There is not enough in your account.')) };
  await expect(refund(transId)).rejects.toThrow(/does not give the order .* back: There is not enough in your account\.$/);
  expect(await row(transId)).toMatchObject({ status: 'paid', finished: true, refunded_minor: 0 });
  expect(await holdings(shop, customer, 'book')).toEqual({ purchases: 1, copies: 1, paid: 1 });
});

test('all titles of a cart leave with its money', async () => {
  await fill(shop, customer, ['book', 'film']);
  const { transId } = await authorizedCart(shop, customer);
  await confirm(shop, customer, transId);
  await refund(transId);
  const { Purchase, Refund } = await library();
  expect(Purchase).toEqual([]);
  expect(Refund).toMatchObject([{ TransId: transId, Titles: 2, Amount: 13.4 }]);
});

test('a part that went back is booked and told, whatever the order in which it is heard, and the title stays', async () => {
  const transId = await bought();
  const paid = await row(transId);
  for (const minor of [300, 200, 300]) await settleRefund({ db: shop.db, kinds: purchaseKinds }, paid, minor);
  expect(await row(transId)).toMatchObject({ status: 'paid', refunded_minor: 300 });
  expect(await holdings(shop, customer, 'book')).toEqual({ purchases: 1, copies: 1, paid: 1 });
  expect(await receipt(transId)).toMatchObject({ amount: 9.9, refunded: 3 });
  expect(await receipt(transId)).not.toHaveProperty('refundedAt');
  const [letter] = await refundLetters(shop, customer);
  expect(letter?.text).toContain('Amount refunded: €3.00 of €9.90');
  expect(letter?.text).not.toContain('no longer in your library');
  await refund(transId);
  expect(await row(transId)).toMatchObject({ status: 'refunded', refunded_minor: 990 });
  expect(new Set((await booked(transId)).map(String))).toEqual(
    new Set(['gateway,-300', 'gateway,-690', 'refunds,300', 'refunds,690']),
  );
});

test('who has bought the same title twice keeps it when one of both goes back', async () => {
  const transId = await bought();
  const other = { store_id: store, user_id: customer.id, title_id: 'book', amount_minor: 990, currency: 'EUR', credits: null };
  await shop.db
    .insertInto('purchases')
    .values({ ...other, id: 'another', kind: 'payment', transaction_id: null })
    .execute();
  await refund(transId);
  expect(await holdings(shop, customer, 'book')).toMatchObject({ copies: 1 });
  expect((await library()).Purchase).toMatchObject([{ TitleId: 'book', TransId: 'another' }]);
});

test.each([
  ['nothing', '', /must be a text/],
  ['an order that is not there', 'ABCD-1234', /has no order ABCD-1234/],
] as const)('%s is refused', async (_, order, says) => {
  await expect(refund(order)).rejects.toThrow(BadOperation);
  await expect(refund(order)).rejects.toThrow(says);
});

test('what was not paid is not given back, and why is said', async () => {
  const { transId } = await authorized(shop, customer, 'film');
  await expect(refund(transId)).rejects.toThrow(/was not paid: it is (pending|authorized)\.$/);
});

describe('a subscription', () => {
  const own = async () =>
    (
      (await shop.ask('ownSubscription', '/user/subscription', { query: customer.query })).value as {
        subscription: Record<string, unknown>;
      }
    ).subscription;
  const held = (id: string) => shop.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  test('ends when an operator gives its last payment back: account and a letter say so, and the gateway renews it no more', async () => {
    const id = await subscribe(shop, customer);
    expect((await refund(shortNumber(id), { dryRun: true })).says).toMatch(
      /9 EUR, could go back to .*; the subscription would end\.$/,
    );
    expect(await own()).toMatchObject({ status: 'active', refunded: null });
    const told = await refund(shortNumber(id));
    expect(told.says).toMatch(
      /^The last payment of the subscription .*, 9 EUR, went back to .*, and the subscription has ended\.$/,
    );
    expect(told.rows).toMatchObject([{ order: id, amount: 9, currency: 'EUR', status: 'refunded' }]);
    expect(await booked(id)).toEqual([
      ['gateway', -900],
      ['refunds', 900],
    ]);
    expect(await own()).toMatchObject({ status: 'ended', refunded: { amount: 9 } });
    const status = await shop.ask('subscriptionStatus', '/subscription/status', { query: customer.query });
    expect(status.value).toEqual({ subscribed: false, data: null });
    const [letter, ...more] = await refundLetters(shop, customer);
    expect(more).toEqual([]);
    expect(letter?.text).toContain('Amount refunded: €9.00');
    expect(letter?.text).toContain('Your subscription has ended, and will not be charged again.');
    await sweep(shop.services);
    const { provider_id: at, cancel_told: isTold } = await held(id);
    expect(isTold).toBe(true);
    expect(await shop.gateway.port.readSubscription(at ?? '')).toMatchObject({ state: 'ended', cancelled: true });
    expect((await refund(id)).says).toMatch(/went back to .* before\.$/);
    expect(await booked(id)).toHaveLength(2);
  });

  test('whose refund gets no answer is given back once, by whoever asks again', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const id = await subscribe(shop, customer);
    trouble = { refundSubscription: async (of) => shop.gateway.port.refundSubscription(of).then(failing) };
    expect((await refund(id)).says).toMatch(/is to go back .*: the gateway has not answered yet, and is asked again\.$/);
    trouble = {};
    await Promise.all([sweep(shop.services), hear(shop.services, `${store}/${id}`), sweep(shop.services)]);
    expect(await held(id)).toMatchObject({ status: 'ended', refunded_minor: 900, refunding: false });
    expect(await booked(id)).toHaveLength(2);
    expect(await refundLetters(shop, customer)).toHaveLength(1);
  });

  test('runs on when the gateway does not give it back, and the operator reads why', async () => {
    vi.spyOn(shop.services.log, 'error').mockReturnValue();
    const id = await subscribe(shop, customer);
    trouble = { refundSubscription: () => Promise.reject(noRefund('Too late.')) };
    await expect(refund(id)).rejects.toThrow(/does not give the payment of .* back: Too late\.$/);
    expect(await held(id)).toMatchObject({ status: 'active', refunding: false, refunded_minor: 0 });
  });

  test('that was given back in part at the gateway goes on, and is booked and told once', async () => {
    const id = await subscribe(shop, customer);
    trouble = { readRefunds: async () => ({ totalMinor: 300, isLastWhole: false }) };
    await Promise.all([1, 2, 3].map(() => hear(shop.services, `${store}/${id}`)));
    expect(await own()).toMatchObject({ status: 'active', refunded: { amount: 3 } });
    expect(await booked(id)).toEqual([
      ['gateway', -300],
      ['refunds', 300],
    ]);
    expect(await refundLetters(shop, customer)).toHaveLength(1);
    trouble = { readRefunds: async () => ({ totalMinor: 900, isLastWhole: true }) };
    await hear(shop.services, `${store}/${id}`);
    expect(await own()).toMatchObject({ status: 'ended', refunded: { amount: 9 } });
    expect(await refundLetters(shop, customer)).toHaveLength(2);
  });

  test('that has cost nothing is not given back', async () => {
    await planIn(shop, store, { id: 'tried', trial_days: 7 });
    await expect(refund(await subscribe(shop, customer, 'tried'))).rejects.toThrow(/has cost nothing yet\.$/);
  });
});

test('credits that were spent for a title come back, once', async () => {
  await bookCredits(shop.db, { storeId: store, userId: customer.id }, { cause: 'a gift', amount: 5 });
  const { value } = await shop.ask('buyWithCredits', '/purchase/credits', {
    query: customer.query,
    body: { titleId: 'book', credits: 2, creditCurrency: 'Tokens' },
  });
  const { transId } = value as { transId: string };
  await Promise.all([refund(transId), refund(transId), refund(shortNumber(transId))]);
  expect((await refund(transId)).says).toMatch(/^2 credits of the order .* went back before to /);
  const balance = await shop.ask('creditBalance', '/credits/balance', { query: customer.query });
  expect(balance.value).toMatchObject({ CreditBalance: 5 });
  const { Purchase, Refund } = await library();
  expect(Purchase).toEqual([]);
  expect(Refund).toMatchObject([{ TransId: transId, Credits: 2 }]);
});
