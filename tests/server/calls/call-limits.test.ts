import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RateLimit } from '../../../server/accounts/limit-row.ts';
import { type LimitName, RATE_LIMITS, UNLIMITED_CALLS } from '../../../server/accounts/rate-limits.ts';
import { calls } from '../support/answers.ts';
import { startCardSession } from '../support/cards.ts';
import { addTitle, startCartSession } from '../support/carts.ts';
import { type Customer, createCustomer, PASSWORD } from '../support/customers.ts';
import { authorizeGift, makeGift, startGiftSession } from '../support/gifts.ts';
import { inBatches } from '../support/in-batches.ts';
import { startPayment, confirmPayment, readSessionStatus } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { startSubscription, insertPlan } from '../support/subscriptions.ts';

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({ properties: { EnableGiftingTitle: true, EnableSubscription: true } });
  await insertPlan(shop, store);
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterAll(() => shop.close());

const maxCalls = (name: LimitName): number => {
  const { max }: RateLimit = RATE_LIMITS[name];
  if (typeof max !== 'number') throw new Error(`The limit ${name} has several maximums: ${JSON.stringify(max)}.`);
  return max;
};

/** Uses up a limit of the customer, except for some remaining calls. */
const exhaust = (name: LimitName, remainingCalls = 0) =>
  shop.db
    .insertInto('rate_limit_counters')
    .values({
      store_id: store,
      subject: `${name}:${customer.id}`,
      calls: maxCalls(name) - remainingCalls,
      window_ends_at: sql<Date>`now() + make_interval(mins => ${RATE_LIMITS[name].minutes}::int)`,
    })
    .onConflict((conflict) => conflict.columns(['store_id', 'subject']).doUpdateSet({ calls: maxCalls(name) - remainingCalls }))
    .execute();

const countRowsBy = async (table: string, column: string, value: string): Promise<number> => {
  const query = sql<{
    count: number;
  }>`select count(*)::int as count from ${sql.table(table)} where ${sql.ref(column)} = ${value}`;
  return (await query.execute(shop.db)).rows[0]?.count ?? NaN;
};
const countRows = (table: 'transactions' | 'progress' | 'cart_lines' | 'audit_log') => countRowsBy(table, 'user_id', customer.id);
const countStoredResponses = () => countRowsBy('idempotency_keys', 'store_id', store);

type Caller = Pick<Customer, 'query'>;
const createKeyHeaders = () => ({ 'idempotency-key': randomUUID() });
const startSession = (caller: Caller, headers: Record<string, string> = createKeyHeaders()) =>
  shop.call('paymentSession', '/payment/session', { query: { ...caller.query, titleId: 'book' }, headers });
const saveProgress = (caller: Caller, contextkey: string, titleid = 'book') =>
  shop.call('saveViewerProgress', '/viewer/progress', {
    query: { ...caller.query, titleid, contextkey },
    body: { position: { totalProgression: 0.5, href: 'a.xhtml' } },
  });
const saveDetails = (caller: Caller, fields: string) =>
  shop.call('saveUserDetails', '/user/details', { query: caller.query, body: `<UserDetails>${fields}</UserDetails>` });
let pendingChange: Promise<unknown> = Promise.resolve();
/** Sends one change at a time: the queue for checks of one account's password is short. */
const changeEmail = (caller: Caller) => {
  const sendChange = () =>
    saveDetails(caller, `<Email>${randomUUID()}@example.org</Email><CurrentPassword>${PASSWORD}</CurrentPassword>`);
  const response = pendingChange.then(sendChange);
  pendingChange = response;
  return response;
};
const callAs = (caller: Caller, id: string, path: string, query: Record<string, string> = {}) =>
  shop.call(id, path, { query: { ...caller.query, ...query }, headers: createKeyHeaders() });

type CallResponse = { status: number; headers: Record<string, unknown> };
type LimitCase = [LimitName, (caller: Customer, index: number) => Promise<CallResponse>, (() => Promise<number>)?];

const CALLS_LEFT = 3;

/** Each limit per customer, a call that it counts, and a count of the rows that calls insert. */
const cases: LimitCase[] = [
  ['payment', (caller) => startSession(caller), countStoredResponses],
  ['payment-day', (caller) => startSession(caller), countStoredResponses],
  ['gift', (caller) => startGiftSession(shop, caller, makeGift()), () => countRowsBy('gifts', 'giver_id', customer.id)],
  ['gift-day', (caller) => startGiftSession(shop, caller, makeGift()), () => countRows('transactions')],
  [
    'confirm',
    (caller) => callAs(caller, 'confirmTitlePurchase', '/purchase/title/confirm', { transactonId: 't' }),
    countStoredResponses,
  ],
  ['payment-status', (caller) => callAs(caller, 'sessionStatus', '/checkout/session/status', { transId: 't' })],
  ['card-session', ({ query }) => shop.call('cardSession', '/card/session', { query, method: 'POST' })],
  ['gateway-change', (caller) => callAs(caller, 'cancelSubscription', '/user/subscription/cancel'), countStoredResponses],
  ['resend', ({ query }) => shop.call('resendGift', '/user/gifts/resend', { query, body: { giftId: 'g' } })],
  ['details', (caller) => saveDetails(caller, '<Name>Ann</Name>')],
  ['email-change', changeEmail],
  ['data-download', (caller) => callAs(caller, 'userData', '/user/data'), () => countRows('audit_log')],
  [
    'change',
    (caller, index) => addTitle(shop, caller, ['book', 'sound', 'film'][index % 3] ?? ''),
    () => countRows('cart_lines'),
  ],
  ['change-day', (caller) => callAs(caller, 'removeFromCart', '/cart/remove', { titleId: 'book' }), countStoredResponses],
  ['progress', (caller, index) => saveProgress(caller, `context-${index}`), () => countRows('progress')],
  ['progress-context', (caller, index) => saveProgress(caller, `context-${index}`), () => countRows('progress')],
];

test('every limit per customer that the router or a session handler counts is tested below', () => {
  const limitsTestedElsewhere = [
    'password-session',
    'password-device',
    'password-device-day',
    'reset-own',
    'sms-own',
    'free-gift',
  ];
  const customerLimits = Object.entries(RATE_LIMITS).filter(([, { per }]) => per === 'customer');
  expect(cases.map(([name]) => name).toSorted()).toEqual(
    customerLimits
      .map(([name]) => name)
      .filter((name) => !limitsTestedElsewhere.includes(name))
      .toSorted(),
  );
});

describe.each(cases)('the limit %s', (name, call, countInsertedRows = async () => 0) => {
  test('a burst over the limit is refused with Retry-After and inserts no rows; another customer of the network is not refused', async () => {
    await exhaust(name, CALLS_LEFT);
    const rowsBefore = await countInsertedRows();
    const responses = await Promise.all(Array.from({ length: CALLS_LEFT + 4 }, (_, index) => call(customer, index)));
    const refusals = responses.filter(({ status }) => status === 429);
    expect(refusals).toHaveLength(4);
    const seconds = RATE_LIMITS[name].minutes * 60;
    for (const { headers } of refusals) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(seconds - 60);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(seconds);
    }
    expect((await countInsertedRows()) - rowsBefore).toBeLessThanOrEqual(CALLS_LEFT);
    expect((await call(await createCustomer(shop, store), 0)).status).not.toBe(429);
  });
});

test('all calls that start a payment share one limit', async () => {
  await exhaust('payment');
  const responses = [
    await startSession(customer),
    await startCartSession(shop, customer),
    await startSubscription(shop, customer),
    await callAs(customer, 'purchaseTitle', '/purchase/title', { titleId: 'book', cardId: 'c' }),
    await callAs(customer, 'purchaseSubscription', '/subscription/purchase', { planId: 'monthly', cardId: 'c' }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
});

test('a repeated request with the same Idempotency-Key is not counted, and gets its response even over the limit', async () => {
  const headers = createKeyHeaders();
  const firstResponse = await startSession(customer, headers);
  const repeats = await inBatches(Array.from({ length: maxCalls('payment') + 5 }, () => () => startSession(customer, headers)));
  for (const { status, text } of repeats) expect([status, text]).toEqual([200, firstResponse.text]);
  const counterQuery = shop.db.selectFrom('rate_limit_counters').select('calls').where('store_id', '=', store);
  expect(await counterQuery.where('subject', '=', `payment:${customer.id}`).execute()).toEqual([{ calls: 1 }]);
  await exhaust('payment');
  const refusedKeyHeaders = createKeyHeaders();
  expect((await startSession(customer, refusedKeyHeaders)).status).toBe(429);
  expect((await startSession(customer, headers)).status).toBe(200);
  // A refusal is not stored: the same request can be sent again after the window.
  await shop.db.deleteFrom('rate_limit_counters').where('store_id', '=', store).execute();
  expect((await startSession(customer, refusedKeyHeaders)).status).toBe(200);
});

test('a gift that was started before the limit was reached can be confirmed', async () => {
  const { transId } = await authorizeGift(shop, customer, makeGift());
  for (const name of ['payment', 'payment-day', 'gift-day'] as const) await exhaust(name);
  expect((await startGiftSession(shop, customer, makeGift())).status).toBe(429);
  expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
});

test('positions in existing contexts are saved while new contexts are refused', async () => {
  expect((await saveProgress(customer, 'epub')).status).toBe(200);
  await exhaust('progress-context');
  expect((await saveProgress(customer, 'made-up')).status).toBe(429);
  expect((await saveProgress(customer, 'epub')).status).toBe(200);
  expect(await countRows('progress')).toBe(1);
});

test('of many contexts of a title that are saved at once, ten are kept, and those of another title stay', async () => {
  expect((await saveProgress(customer, 'pdf', 'gratis')).status).toBe(404);
  await callAs(customer, 'purchaseFreeTitle', '/purchase/free', { titleId: 'gratis' });
  expect((await saveProgress(customer, 'pdf', 'gratis')).status).toBe(200);
  const responses = await Promise.all(Array.from({ length: 40 }, (_, index) => saveProgress(customer, `context-${index}`)));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  const positionsQuery = shop.db.selectFrom('progress').select(['title_id', 'context_key']).where('user_id', '=', customer.id);
  const positions = await positionsQuery.execute();
  expect(positions.filter(({ title_id }) => title_id === 'book')).toHaveLength(10);
  expect(positions.filter(({ title_id }) => title_id === 'gratis')).toEqual([{ title_id: 'gratis', context_key: 'pdf' }]);
});

describe('heavy use', () => {
  test('a customer who reads on five devices, turning a page every second on each for a minute, is not refused', async () => {
    const responses = await inBatches(Array.from({ length: 5 * 60 }, () => () => saveProgress(customer, 'epub')));
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
  });

  test('ten payments and five gifts with their other calls in a quarter of an hour are not refused', async () => {
    const statuses: number[] = [];
    for (let payment = 0; payment < 10; payment += 1) {
      const { transId } = await startPayment(shop, customer, payment % 2 === 0 ? 'book' : 'sound');
      for (let statusCall = 0; statusCall < 12; statusCall += 1) await readSessionStatus(shop, customer, transId);
    }
    for (let gift = 0; gift < 5; gift += 1) {
      const info = makeGift();
      statuses.push((await startGiftSession(shop, customer, info)).status, (await startGiftSession(shop, customer, info)).status);
    }
    for (let card = 0; card < 4; card += 1) await startCardSession(shop, customer);
    for (let round = 0; round < 60; round += 1) {
      const titleId = round % 2 === 0 ? 'book' : 'sound';
      statuses.push((await addTitle(shop, customer, titleId)).status);
      statuses.push((await callAs(customer, 'removeFromCart', '/cart/remove', { titleId })).status);
    }
    for (let save = 0; save < 5; save += 1) statuses.push((await saveDetails(customer, '<Name>Ann</Name>')).status);
    statuses.push((await changeEmail(customer)).status, (await callAs(customer, 'userData', '/user/data')).status);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });
});

test('visitors’ calls with stored responses are limited per network; another network is not refused', async () => {
  const requestResetLink = (remoteAddress: string) =>
    shop.app.inject({
      url: `/api/user/forgotpassword?${new URLSearchParams({ shelfid: store, appid: 'web', email: 'no address' }).toString()}`,
      headers: createKeyHeaders(),
      remoteAddress,
    });
  const { network } = RATE_LIMITS['open-call'].max;
  const responseCountBefore = await countStoredResponses();
  const responses = await inBatches(Array.from({ length: network + 5 }, () => () => requestResetLink('192.0.2.77')));
  const refusals = responses.filter(({ statusCode }) => statusCode === 429);
  expect(refusals).toHaveLength(5);
  for (const { headers } of refusals) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect((await countStoredResponses()) - responseCountBefore).toBe(network);
  expect((await requestResetLink('192.0.2.78')).statusCode).toBe(400);
});

test('every changing call is counted by a limit, or listed with the reason why it is not', () => {
  const limitedCalls = new Set(
    Object.values(RATE_LIMITS).flatMap(({ calls: routedCalls = [], countedBy = [] }: RateLimit) => [
      ...routedCalls,
      ...countedBy,
    ]),
  );
  const changingCalls = calls
    .map(({ call }) => call as typeof call & { 'x-changes'?: boolean })
    .filter((call) => call['x-changes'] === true)
    .map(({ operationId }) => operationId);
  expect(changingCalls.length).toBeGreaterThan(40);
  expect(changingCalls.filter((id) => !limitedCalls.has(id as never) && !(id in UNLIMITED_CALLS))).toEqual([]);
  expect(Object.keys(UNLIMITED_CALLS).filter((id) => limitedCalls.has(id as never))).toEqual([]);
});

test('the contract has a 429 response for each call with a limit', () => {
  const limitedCalls = new Set<string>(
    Object.values(RATE_LIMITS).flatMap(({ calls: routedCalls = [], countedBy = [] }: RateLimit) => [
      ...routedCalls,
      ...countedBy,
    ]),
  );
  const callsWithout429 = calls.filter(({ call }) => limitedCalls.has(call.operationId) && !('429' in call.responses));
  expect(callsWithout429.map(({ call }) => call.operationId)).toEqual([]);
});
