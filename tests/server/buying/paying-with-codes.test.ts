import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sweep } from '../../../server/jobs/sweep.ts';
import { makeCodeIn, lookUpCode, readUsesLeft } from '../support/codes.ts';
import { saveCard } from '../support/cards.ts';
import { createCustomer, type Customer } from '../support/customers.ts';
import {
  CARD_NUMBERS,
  countCharges,
  confirmPayment,
  submitCardForm,
  postFields,
  readSessionStatus,
  type Session,
} from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { storeInAnyCurrency } from '../support/stores.ts';
import {
  confirmSubscription,
  dateInDays,
  submitCard,
  insertPlan,
  selectSubscription,
  subscribe,
} from '../support/subscriptions.ts';

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store(storeInAnyCurrency);
  await insertPlan(shop, store);
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterAll(() => shop.close());

const makeCode = (grants: string, more: object = {}) => makeCodeIn(shop, store, { grants, ...more });
type StartedSession = Session & { code?: string };

const startSession = async ({ query }: Customer, code: string | undefined, more: Record<string, string | number> = {}) => {
  const answer = await shop.ask('paymentSession', '/payment/session', { query: { ...query, titleId: 'book', code, ...more } });
  return { ...answer, value: answer.value as StartedSession };
};

/** A payment with a code, authorised by the customer's bank. */
const authorize = async (buyer: Customer, code: string | undefined, card = CARD_NUMBERS.good): Promise<string> => {
  const { value, text } = await startSession(buyer, code);
  if (value.url === undefined) throw new Error(`No payment session: ${text}`);
  await submitCardForm(value.url, card);
  return value.transId;
};
const selectTransaction = (id: string) =>
  shop.db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const selectRedemptions = (code: string) => shop.db.selectFrom('redemptions').selectAll().where('code', '=', code).execute();

describe('a title with a discount code', () => {
  test('costs the reduced price that the look-up showed, and the code is used up by the capture', async () => {
    const code = await makeCode('discount:20%');
    const { value } = await lookUpCode(shop, customer, code, { titleid: 'book' });
    expect(value).toMatchObject({
      AmountOff: 1.98,
      Prices: [
        { Amount: 7.92, Currency: 'EUR' },
        { Amount: 1200, Currency: 'JPY' },
      ],
    });
    const transId = await authorize(customer, code.toLowerCase());
    expect(await readUsesLeft(shop, code)).toBe(1);
    expect(await selectRedemptions(code)).toEqual([]);
    expect(await confirmPayment(shop, customer, transId)).toMatchObject({ status: 200 });
    expect(await selectTransaction(transId)).toMatchObject({ amount_minor: 792, currency: 'EUR', status: 'paid', code });
    expect(await readUsesLeft(shop, code)).toBe(0);
    expect(await selectRedemptions(code)).toMatchObject([{ user_id: customer.id, transaction_id: transId }]);
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
    expect(await selectRedemptions(code)).toHaveLength(1);
    expect(await countCharges(shop, transId)).toBe(1);
    expect((await lookUpCode(shop, customer, code)).value).toMatchObject({ Kind: 'discount', Redeemed: true });
  });

  test('is sold at the shown price, or refused with the right one', async () => {
    const code = await makeCode('discount:20%', { uses: 9 });
    expect(await startSession(customer, code, { price: 9.9, currency: 'EUR' })).toMatchObject({
      status: 409,
      value: { code: 'price_changed', price: 7.92, currency: 'EUR' },
    });
    expect((await startSession(customer, code, { price: 1200, currency: 'JPY' })).status).toBe(200);
    const { value } = await startSession(customer, code, { price: 7.92, currency: 'EUR' });
    expect(await selectTransaction(value.transId)).toMatchObject({ amount_minor: 792, code });
    // The same title without the code is another payment, and the first is cancelled.
    const full = await startSession(customer, undefined);
    expect(await selectTransaction(full.value.transId)).toMatchObject({ amount_minor: 990, code: null });
    expect(await selectTransaction(value.transId)).toMatchObject({ status: 'cancelled' });
    expect(await readUsesLeft(shop, code)).toBe(9);
  });

  test('always costs at least the smallest unit of its currency', async () => {
    const code = await makeCode('discount:100%', { uses: 9 }).catch((error: unknown) => (error as Error).message);
    expect(code).toMatch(/from 1 to 99/);
    const most = await makeCode('discount:99%');
    await shop.db
      .updateTable('prices')
      .set({ amount_minor: 10 })
      .where('store_id', '=', store)
      .where('title_id', '=', 'film')
      .execute();
    const { value } = await startSession(customer, most, { titleId: 'film' });
    expect(await selectTransaction(value.transId)).toMatchObject({ amount_minor: 1 });
  });

  test('is bought with a saved card in a single call, and uses the code once', async () => {
    const code = await makeCode('discount:50%');
    const cardId = await saveCard(shop, customer);
    const query = { ...customer.query, titleId: 'book', cardId, Price: 4.95, currency: 'EUR', RedeemPin: code };
    expect(await shop.ask('purchaseTitle', '/purchase/title', { query })).toMatchObject({
      status: 200,
      value: { status: 'paid' },
    });
    expect(await readUsesLeft(shop, code)).toBe(0);
  });

  test.each([
    ['used up', () => makeCode('discount:5%', { uses: 1, usesLeft: 0 }), 'code_used'],
    ['expired', () => makeCode('discount:5%', { expiresAt: dateInDays(-1) }), 'code_expired'],
    ['for another title', () => makeCode('discount:5%:film'), 'code_misfit'],
    ['not for a discount', () => makeCode('title:book'), 'code_misfit'],
    ['unknown', async () => 'NOBODYSCODE', 'code_misfit'],
    ['of another store', async () => makeCodeIn(shop, await shop.store(), { grants: 'discount:5%' }), 'code_elsewhere'],
  ])('is refused with a code that is %s', async (_, find, word) => {
    expect(await startSession(customer, await find())).toMatchObject({ status: 409, value: { code: word } });
    expect(await shop.db.selectFrom('transactions').selectAll().where('user_id', '=', customer.id).execute()).toEqual([]);
  });

  test('a customer cannot use the same code for another title', async () => {
    const code = await makeCode('discount:5%', { uses: 5 });
    await confirmPayment(shop, customer, await authorize(customer, code));
    expect(await startSession(customer, code, { titleId: 'film' })).toMatchObject({ status: 409, value: { code: 'code_used' } });
    expect((await startSession(await createCustomer(shop, store), code)).status).toBe(200);
  });
});

describe('a payment that fails', () => {
  test('does not use up the code when it is cancelled at the gateway', async () => {
    const code = await makeCode('discount:20%');
    const { value } = await startSession(customer, code);
    await postFields(`${value.url.split('?')[0]}/cancel?${value.url.split('?')[1] ?? ''}`, {});
    expect(await readSessionStatus(shop, customer, value.transId)).toMatchObject({ status: 'cancelled' });
    expect(await readUsesLeft(shop, code)).toBe(1);
  });

  test('keeps the code reserved while its outcome is unknown', async () => {
    const code = await makeCode('discount:20%');
    const transId = await authorize(customer, code, CARD_NUMBERS.lost);
    await confirmPayment(shop, customer, transId);
    expect(await readUsesLeft(shop, code)).toBe(0);
    await sweep(shop.services);
    expect(await selectTransaction(transId)).toMatchObject({ status: 'paid' });
    expect(await readUsesLeft(shop, code)).toBe(0);
    expect(await selectRedemptions(code)).toHaveLength(1);
  });

  test('after its confirmation returns the code, once', async () => {
    const code = await makeCode('discount:20%', { uses: 3 });
    const transId = await authorize(customer, code);
    const capture = shop.services.payment.capture.bind(shop.services.payment);
    const read = shop.services.payment.read.bind(shop.services.payment);
    const failed = async (id: string) => ({ ...(await read(id)), state: 'failed', reason: 'card_declined' }) as never;
    Object.assign(shop.services.payment, { capture: failed });
    const answers = await Promise.all([confirmPayment(shop, customer, transId), confirmPayment(shop, customer, transId)]);
    Object.assign(shop.services.payment, { capture });
    expect(answers.map(({ status }) => status)).toEqual([402, 402]);
    expect(await selectTransaction(transId)).toMatchObject({ status: 'failed' });
    expect(await readUsesLeft(shop, code)).toBe(3);
    expect(await selectRedemptions(code)).toEqual([]);
  });
});

test('twenty customers pay with the last use of a code: one pays, the others are not charged', async () => {
  const code = await makeCode('discount:20%');
  const buyers = [];
  for (let at = 0; at < 20; at += 1) buyers.push(await createCustomer(shop, store));
  const payments = [];
  for (const buyer of buyers) payments.push({ buyer, transId: await authorize(buyer, code) });
  const answers = await Promise.all(payments.map(({ buyer, transId }) => confirmPayment(shop, buyer, transId)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ value }) => (value as { code?: string }).code === 'code_used')).toHaveLength(19);
  const charges = [];
  for (const { transId } of payments) charges.push(await countCharges(shop, transId));
  expect(charges.filter((count) => count > 0)).toEqual([1]);
  expect(await readUsesLeft(shop, code)).toBe(0);
  expect(await selectRedemptions(code)).toHaveLength(1);
  const rows = await Promise.all(payments.map(({ transId }) => selectTransaction(transId)));
  expect(rows.filter(({ status }) => status === 'cancelled')).toHaveLength(19);
});

test('twenty confirmations of one payment use its code once', async () => {
  const code = await makeCode('discount:20%', { uses: 30 });
  const transId = await authorize(customer, code);
  const answers = await Promise.all(Array.from({ length: 20 }, () => confirmPayment(shop, customer, transId)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(await readUsesLeft(shop, code)).toBe(29);
});

describe('a trial from a code', () => {
  const session = async ({ query }: Customer, code: string | undefined, planId = 'monthly') => {
    const answer = await shop.ask('subscriptionSession', '/checkout/subscription/session', { query: { ...query, planId, code } });
    return { ...answer, value: answer.value as StartedSession };
  };

  test('starts a plan with the code’s trial days, by card, also for former subscribers', async () => {
    await subscribe(shop, customer);
    await shop.db
      .updateTable('subscriptions')
      .set({ status: 'ended', ended_at: new Date() })
      .where('user_id', '=', customer.id)
      .execute();
    const code = await makeCode('trial:monthly:30');
    const { value } = await session(customer, code);
    expect(await selectTransaction(value.transId)).toMatchObject({ amount_minor: 0, details: { trialDays: 30 }, code });
    expect(await readUsesLeft(shop, code)).toBe(1);
    const intentId = await submitCard(value.url);
    expect((await confirmSubscription(shop, customer, value.transId, intentId)).status).toBe(200);
    const days = ((await selectSubscription(shop, value.transId)).renews_at?.getTime() ?? 0) - Date.now();
    expect(days / 86_400_000).toBeCloseTo(30, 1);
    expect(await readUsesLeft(shop, code)).toBe(0);
    expect((await lookUpCode(shop, customer, code)).value).toMatchObject({ Redeemed: true });
  });

  test.each([
    [
      'for another plan',
      async () => makeCodeIn(shop, store, { grants: `trial:${await insertPlan(shop, store, { id: 'yearly' })}:30` }),
      'code_misfit',
    ],
    ['for a subscription without a card', () => makeCode('plan:monthly'), 'code_misfit'],
    ['for a discount', () => makeCode('discount:5%'), 'code_misfit'],
    ['that is used up', () => makeCode('trial:monthly:30', { uses: 1, usesLeft: 0 }), 'code_used'],
  ])('is refused with a code %s', async (_, find, word) => {
    expect(await session(customer, await find())).toMatchObject({ status: 409, value: { code: word } });
  });

  test('a payment without the code replaces the one with it', async () => {
    const code = await makeCode('trial:monthly:30');
    const first = await session(customer, code);
    const second = await session(customer, undefined);
    expect(second.value.transId).not.toBe(first.value.transId);
    expect(await selectTransaction(first.value.transId)).toMatchObject({ status: 'cancelled' });
    expect(await selectTransaction(second.value.transId)).toMatchObject({ amount_minor: 900, code: null });
    expect(await readUsesLeft(shop, code)).toBe(1);
  });
});
