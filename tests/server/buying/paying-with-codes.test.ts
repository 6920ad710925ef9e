import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sweep } from '../../../server/jobs/sweep.ts';
import { insertCode, lookUpCode, readUsesLeft } from '../support/codes.ts';
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

const makeCode = (grants: string, options: object = {}) => insertCode(shop, store, { grants, ...options });
type StartedSession = Session & { code?: string };

const startSession = async ({ query }: Customer, code: string | undefined, extraQuery: Record<string, string | number> = {}) => {
  const response = await shop.call('paymentSession', '/payment/session', {
    query: { ...query, titleId: 'book', code, ...extraQuery },
  });
  return { ...response, value: response.value as StartedSession };
};

/** Starts a payment with a code and authorises it. @returns the transaction's id */
const authorize = async (buyer: Customer, code: string | undefined, card = CARD_NUMBERS.good): Promise<string> => {
  const { status, value, text } = await startSession(buyer, code);
  if (value.url === undefined) throw new Error(`No payment session: HTTP ${status} ${text}`);
  await submitCardForm(value.url, card);
  return value.transId;
};
const selectTransaction = (id: string) =>
  shop.db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const selectRedemptions = (code: string) => shop.db.selectFrom('redemptions').selectAll().where('code', '=', code).execute();

describe('discounts of a title', () => {
  test('a title with a discount code costs the price of the look-up, and the confirmation uses up the code', async () => {
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

  test('a session for a title with a code is refused at another price than the reduced one', async () => {
    const code = await makeCode('discount:20%', { uses: 9 });
    expect(await startSession(customer, code, { price: 9.9, currency: 'EUR' })).toMatchObject({
      status: 409,
      value: { code: 'price_changed', price: 7.92, currency: 'EUR' },
    });
    expect((await startSession(customer, code, { price: 1200, currency: 'JPY' })).status).toBe(200);
    const { value } = await startSession(customer, code, { price: 7.92, currency: 'EUR' });
    expect(await selectTransaction(value.transId)).toMatchObject({ amount_minor: 792, code });
    // The same title without the code is another payment, and the first is cancelled.
    const fullPriceSession = await startSession(customer, undefined);
    expect(await selectTransaction(fullPriceSession.value.transId)).toMatchObject({ amount_minor: 990, code: null });
    expect(await selectTransaction(value.transId)).toMatchObject({ status: 'cancelled' });
    expect(await readUsesLeft(shop, code)).toBe(9);
  });

  test('a title with a discount code costs at least the smallest unit of its currency', async () => {
    const errorMessage = await makeCode('discount:100%', { uses: 9 }).catch((error: unknown) => (error as Error).message);
    expect(errorMessage).toMatch(/from 1 to 99/);
    const largestDiscountCode = await makeCode('discount:99%');
    await shop.db
      .updateTable('prices')
      .set({ amount_minor: 10 })
      .where('store_id', '=', store)
      .where('title_id', '=', 'film')
      .execute();
    const { value } = await startSession(customer, largestDiscountCode, { titleId: 'film' });
    expect(await selectTransaction(value.transId)).toMatchObject({ amount_minor: 1 });
  });

  test('a purchase with a saved card and a code is a single call, which uses up the code', async () => {
    const code = await makeCode('discount:50%');
    const cardId = await saveCard(shop, customer);
    const query = { ...customer.query, titleId: 'book', cardId, Price: 4.95, currency: 'EUR', RedeemPin: code };
    expect(await shop.call('purchaseTitle', '/purchase/title', { query })).toMatchObject({
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
    ['of another store', async () => insertCode(shop, await shop.store(), { grants: 'discount:5%' }), 'code_elsewhere'],
  ])('a purchase is refused with a code that is %s', async (_, createCode, expectedCode) => {
    expect(await startSession(customer, await createCode())).toMatchObject({ status: 409, value: { code: expectedCode } });
    expect(await shop.db.selectFrom('transactions').selectAll().where('user_id', '=', customer.id).execute()).toEqual([]);
  });

  test('a customer cannot use the same code for another title', async () => {
    const code = await makeCode('discount:5%', { uses: 5 });
    await confirmPayment(shop, customer, await authorize(customer, code));
    expect(await startSession(customer, code, { titleId: 'film' })).toMatchObject({ status: 409, value: { code: 'code_used' } });
    expect((await startSession(await createCustomer(shop, store), code)).status).toBe(200);
  });
});

describe('codes of payments without success', () => {
  test('a payment cancelled at the gateway does not use its code', async () => {
    const code = await makeCode('discount:20%');
    const { value } = await startSession(customer, code);
    await postFields(`${value.url.split('?')[0]}/cancel?${value.url.split('?')[1] ?? ''}`, {});
    expect(await readSessionStatus(shop, customer, value.transId)).toMatchObject({ status: 'cancelled' });
    expect(await readUsesLeft(shop, code)).toBe(1);
  });

  test('a payment with an unknown outcome uses its code', async () => {
    const code = await makeCode('discount:20%');
    const transId = await authorize(customer, code, CARD_NUMBERS.lost);
    await confirmPayment(shop, customer, transId);
    expect(await readUsesLeft(shop, code)).toBe(0);
    await sweep(shop.services);
    expect(await selectTransaction(transId)).toMatchObject({ status: 'paid' });
    expect(await readUsesLeft(shop, code)).toBe(0);
    expect(await selectRedemptions(code)).toHaveLength(1);
  });

  test('a payment that fails after its confirmation makes its code usable again, once', async () => {
    const code = await makeCode('discount:20%', { uses: 3 });
    const transId = await authorize(customer, code);
    const capture = shop.services.payment.capture.bind(shop.services.payment);
    const read = shop.services.payment.read.bind(shop.services.payment);
    const captureAsFailed = async (id: string) => ({ ...(await read(id)), state: 'failed', reason: 'card_declined' }) as never;
    Object.assign(shop.services.payment, { capture: captureAsFailed });
    const responses = await Promise.all([confirmPayment(shop, customer, transId), confirmPayment(shop, customer, transId)]);
    Object.assign(shop.services.payment, { capture });
    expect(responses.map(({ status }) => status)).toEqual([402, 402]);
    expect(await selectTransaction(transId)).toMatchObject({ status: 'failed' });
    expect(await readUsesLeft(shop, code)).toBe(3);
    expect(await selectRedemptions(code)).toEqual([]);
  });
});

test('of twenty customers who pay with the last use of a code, one pays and the others are not charged', async () => {
  const code = await makeCode('discount:20%');
  const buyers = [];
  for (let index = 0; index < 20; index += 1) buyers.push(await createCustomer(shop, store));
  const payments = [];
  for (const buyer of buyers) payments.push({ buyer, transId: await authorize(buyer, code) });
  const responses = await Promise.all(payments.map(({ buyer, transId }) => confirmPayment(shop, buyer, transId)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.filter(({ value }) => (value as { code?: string }).code === 'code_used')).toHaveLength(19);
  const chargeCounts = [];
  for (const { transId } of payments) chargeCounts.push(await countCharges(shop, transId));
  expect(chargeCounts.filter((count) => count > 0)).toEqual([1]);
  expect(await readUsesLeft(shop, code)).toBe(0);
  expect(await selectRedemptions(code)).toHaveLength(1);
  const rows = await Promise.all(payments.map(({ transId }) => selectTransaction(transId)));
  expect(rows.filter(({ status }) => status === 'cancelled')).toHaveLength(19);
});

test('twenty confirmations of one payment use its code once', async () => {
  const code = await makeCode('discount:20%', { uses: 30 });
  const transId = await authorize(customer, code);
  const responses = await Promise.all(Array.from({ length: 20 }, () => confirmPayment(shop, customer, transId)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(20);
  expect(await readUsesLeft(shop, code)).toBe(29);
});

describe('trials from codes', () => {
  const startTrialSession = async ({ query }: Customer, code: string | undefined, planId = 'monthly') => {
    const response = await shop.call('subscriptionSession', '/checkout/subscription/session', {
      query: { ...query, planId, code },
    });
    return { ...response, value: response.value as StartedSession };
  };

  test('a trial code starts a plan with its trial days, also for former subscribers', async () => {
    await subscribe(shop, customer);
    await shop.db
      .updateTable('subscriptions')
      .set({ status: 'ended', ended_at: new Date() })
      .where('user_id', '=', customer.id)
      .execute();
    const code = await makeCode('trial:monthly:30');
    const { value } = await startTrialSession(customer, code);
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
      async () => insertCode(shop, store, { grants: `trial:${await insertPlan(shop, store, { id: 'yearly' })}:30` }),
      'code_misfit',
    ],
    ['for a subscription without a card', () => makeCode('plan:monthly'), 'code_misfit'],
    ['for a discount', () => makeCode('discount:5%'), 'code_misfit'],
    ['that is used up', () => makeCode('trial:monthly:30', { uses: 1, usesLeft: 0 }), 'code_used'],
  ])('a trial is refused with a code %s', async (_, createCode, expectedCode) => {
    expect(await startTrialSession(customer, await createCode())).toMatchObject({ status: 409, value: { code: expectedCode } });
  });

  test('a subscription started without a trial code replaces the payment started with it', async () => {
    const code = await makeCode('trial:monthly:30');
    const trialSession = await startTrialSession(customer, code);
    const paidSession = await startTrialSession(customer, undefined);
    expect(paidSession.value.transId).not.toBe(trialSession.value.transId);
    expect(await selectTransaction(trialSession.value.transId)).toMatchObject({ status: 'cancelled' });
    expect(await selectTransaction(paidSession.value.transId)).toMatchObject({ amount_minor: 900, code: null });
    expect(await readUsesLeft(shop, code)).toBe(1);
  });
});
