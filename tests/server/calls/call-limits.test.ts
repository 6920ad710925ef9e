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
  if (typeof max !== 'number') throw new Error(`The limit ${name} does not have a single maximum.`);
  return max;
};

/** Uses up a limit, except for some remaining calls. */
const exhaust = (name: LimitName, left = 0) =>
  shop.db
    .insertInto('rate_limit_counters')
    .values({
      store_id: store,
      subject: `${name}:${customer.id}`,
      calls: maxCalls(name) - left,
      window_ends_at: sql<Date>`now() + make_interval(mins => ${RATE_LIMITS[name].minutes}::int)`,
    })
    .onConflict((conflict) => conflict.columns(['store_id', 'subject']).doUpdateSet({ calls: maxCalls(name) - left }))
    .execute();

const count = async (table: string, column: string, value: string): Promise<number> => {
  const counted = sql<{
    count: number;
  }>`select count(*)::int as count from ${sql.table(table)} where ${sql.ref(column)} = ${value}`;
  return (await counted.execute(shop.db)).rows[0]?.count ?? NaN;
};
const countRows = (table: 'transactions' | 'progress' | 'cart_lines' | 'audit_log') => count(table, 'user_id', customer.id);
const countStoredAnswers = () => count('idempotency_keys', 'store_id', store);

type Caller = Pick<Customer, 'query'>;
const newKey = () => ({ 'idempotency-key': randomUUID() });
const session = (who: Caller, headers: Record<string, string> = newKey()) =>
  shop.ask('paymentSession', '/payment/session', { query: { ...who.query, titleId: 'book' }, headers });
const save = (who: Caller, contextkey: string, titleid = 'book') =>
  shop.ask('saveViewerProgress', '/viewer/progress', {
    query: { ...who.query, titleid, contextkey },
    body: { position: { totalProgression: 0.5, href: 'a.xhtml' } },
  });
const details = (who: Caller, fields: string) =>
  shop.ask('saveUserDetails', '/user/details', { query: who.query, body: `<UserDetails>${fields}</UserDetails>` });
let pendingMove: Promise<unknown> = Promise.resolve();
/** One at a time: the queue for checks of one account's password is short. */
const moveEmail = (who: Caller) => {
  const move = () => details(who, `<Email>${randomUUID()}@example.org</Email><CurrentPassword>${PASSWORD}</CurrentPassword>`);
  const answer = pendingMove.then(move);
  pendingMove = answer;
  return answer;
};
const ask = (who: Caller, id: string, path: string, query: Record<string, string> = {}) =>
  shop.ask(id, path, { query: { ...who.query, ...query }, headers: newKey() });

type CallAnswer = { status: number; headers: Record<string, unknown> };
type Case = [LimitName, (who: Customer, nth: number) => Promise<CallAnswer>, (() => Promise<number>)?];

const CALLS_LEFT = 3;

/** Each limit per customer, a call that it counts, and the number of rows that the calls insert. */
const cases: Case[] = [
  ['payment', (who) => session(who), countStoredAnswers],
  ['payment-day', (who) => session(who), countStoredAnswers],
  ['gift', (who) => startGiftSession(shop, who, makeGift()), () => count('gifts', 'giver_id', customer.id)],
  ['gift-day', (who) => startGiftSession(shop, who, makeGift()), () => countRows('transactions')],
  ['confirm', (who) => ask(who, 'confirmTitlePurchase', '/purchase/title/confirm', { transactonId: 't' }), countStoredAnswers],
  ['payment-status', (who) => ask(who, 'sessionStatus', '/checkout/session/status', { transId: 't' })],
  ['card-session', ({ query }) => shop.ask('cardSession', '/card/session', { query, method: 'POST' })],
  ['gateway-change', (who) => ask(who, 'cancelSubscription', '/user/subscription/cancel'), countStoredAnswers],
  ['resend', ({ query }) => shop.ask('resendGift', '/user/gifts/resend', { query, body: { giftId: 'g' } })],
  ['details', (who) => details(who, '<Name>Ann</Name>')],
  ['email-change', moveEmail],
  ['data-download', (who) => ask(who, 'userData', '/user/data'), () => countRows('audit_log')],
  ['change', (who, nth) => addTitle(shop, who, ['book', 'sound', 'film'][nth % 3] ?? ''), () => countRows('cart_lines')],
  ['change-day', (who) => ask(who, 'removeFromCart', '/cart/remove', { titleId: 'book' }), countStoredAnswers],
  ['progress', (who, nth) => save(who, `context-${nth}`), () => countRows('progress')],
  ['progress-context', (who, nth) => save(who, `context-${nth}`), () => countRows('progress')],
];

test('every limit per customer that the router or a session handler counts is tested below', () => {
  const elsewhere = ['password-session', 'password-device', 'password-device-day', 'reset-own', 'sms-own', 'free-gift'];
  const byCustomer = Object.entries(RATE_LIMITS).filter(([, { per }]) => per === 'customer');
  expect(cases.map(([name]) => name).toSorted()).toEqual(
    byCustomer
      .map(([name]) => name)
      .filter((name) => !elsewhere.includes(name))
      .toSorted(),
  );
});

describe.each(cases)('the limit %s', (name, call, rowsOf = async () => 0) => {
  test('refuses a burst over it with Retry-After and without new rows; another customer of the network is not refused', async () => {
    await exhaust(name, CALLS_LEFT);
    const before = await rowsOf();
    const answers = await Promise.all(Array.from({ length: CALLS_LEFT + 4 }, (_, nth) => call(customer, nth)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    const seconds = RATE_LIMITS[name].minutes * 60;
    for (const { headers } of refused) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(seconds - 60);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(seconds);
    }
    expect((await rowsOf()) - before).toBeLessThanOrEqual(CALLS_LEFT);
    expect((await call(await createCustomer(shop, store), 0)).status).not.toBe(429);
  });
});

test('all ways to start a payment share their limit', async () => {
  await exhaust('payment');
  const answers = [
    await session(customer),
    await startCartSession(shop, customer),
    await startSubscription(shop, customer),
    await ask(customer, 'purchaseTitle', '/purchase/title', { titleId: 'book', cardId: 'c' }),
    await ask(customer, 'purchaseSubscription', '/subscription/purchase', { planId: 'monthly', cardId: 'c' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([429, 429, 429, 429, 429]);
});

test('a repeat with the same Idempotency-Key is not counted, and gets its response even over the limit', async () => {
  const headers = newKey();
  const first = await session(customer, headers);
  const repeats = await inBatches(Array.from({ length: maxCalls('payment') + 5 }, () => () => session(customer, headers)));
  for (const { status, text } of repeats) expect([status, text]).toEqual([200, first.text]);
  const counted = shop.db.selectFrom('rate_limit_counters').select('calls').where('store_id', '=', store);
  expect(await counted.where('subject', '=', `payment:${customer.id}`).execute()).toEqual([{ calls: 1 }]);
  await exhaust('payment');
  const refused = newKey();
  expect((await session(customer, refused)).status).toBe(429);
  expect((await session(customer, headers)).status).toBe(200);
  // A refusal is not stored: the same request may be sent again after the window.
  await shop.db.deleteFrom('rate_limit_counters').where('store_id', '=', store).execute();
  expect((await session(customer, refused)).status).toBe(200);
});

test('a started gift can be confirmed when no more can be started', async () => {
  const { transId } = await authorizeGift(shop, customer, makeGift());
  for (const name of ['payment', 'payment-day', 'gift-day'] as const) await exhaust(name);
  expect((await startGiftSession(shop, customer, makeGift())).status).toBe(429);
  expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
});

test('positions in existing contexts are saved while new contexts are refused', async () => {
  expect((await save(customer, 'epub')).status).toBe(200);
  await exhaust('progress-context');
  expect((await save(customer, 'made-up')).status).toBe(429);
  expect((await save(customer, 'epub')).status).toBe(200);
  expect(await countRows('progress')).toBe(1);
});

test('of many contexts saved at once, ten of each title are kept, and none of another title is dropped', async () => {
  expect((await save(customer, 'pdf', 'gratis')).status).toBe(404);
  await ask(customer, 'purchaseFreeTitle', '/purchase/free', { titleId: 'gratis' });
  expect((await save(customer, 'pdf', 'gratis')).status).toBe(200);
  const answers = await Promise.all(Array.from({ length: 40 }, (_, nth) => save(customer, `context-${nth}`)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const kept = shop.db.selectFrom('progress').select(['title_id', 'context_key']).where('user_id', '=', customer.id);
  const all = await kept.execute();
  expect(all.filter(({ title_id }) => title_id === 'book')).toHaveLength(10);
  expect(all.filter(({ title_id }) => title_id === 'gratis')).toEqual([{ title_id: 'gratis', context_key: 'pdf' }]);
});

describe('a customer with heavy use is not refused', () => {
  test('when reading on five devices, each turning a page every second for a minute', async () => {
    const priorityGate = await inBatches(Array.from({ length: 5 * 60 }, () => () => save(customer, 'epub')));
    expect(priorityGate.filter(({ status }) => status !== 200)).toEqual([]);
  });

  test('when buying for a quarter of an hour: ten payments and five gifts with many status calls, cards, cart, details and data', async () => {
    const statuses: number[] = [];
    for (let payment = 0; payment < 10; payment += 1) {
      const { transId } = await startPayment(shop, customer, payment % 2 === 0 ? 'book' : 'sound');
      for (let look = 0; look < 12; look += 1) await readSessionStatus(shop, customer, transId);
    }
    for (let gift = 0; gift < 5; gift += 1) {
      const info = makeGift();
      statuses.push((await startGiftSession(shop, customer, info)).status, (await startGiftSession(shop, customer, info)).status);
    }
    for (let card = 0; card < 4; card += 1) await startCardSession(shop, customer);
    for (let press = 0; press < 60; press += 1) {
      const titleId = press % 2 === 0 ? 'book' : 'sound';
      statuses.push((await addTitle(shop, customer, titleId)).status);
      statuses.push((await ask(customer, 'removeFromCart', '/cart/remove', { titleId })).status);
    }
    for (let saving = 0; saving < 5; saving += 1) statuses.push((await details(customer, '<Name>Ann</Name>')).status);
    statuses.push((await moveEmail(customer)).status, (await ask(customer, 'userData', '/user/data')).status);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });
});

test('visitors’ calls with stored responses are counted by network, and another network is not refused', async () => {
  const forget = (remoteAddress: string) =>
    shop.app.inject({
      url: `/api/user/forgotpassword?${new URLSearchParams({ shelfid: store, appid: 'web', email: 'no address' }).toString()}`,
      headers: newKey(),
      remoteAddress,
    });
  const { network } = RATE_LIMITS['open-call'].max;
  const before = await countStoredAnswers();
  const answers = await inBatches(Array.from({ length: network + 5 }, () => () => forget('192.0.2.77')));
  const refused = answers.filter(({ statusCode }) => statusCode === 429);
  expect(refused).toHaveLength(5);
  for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect((await countStoredAnswers()) - before).toBe(network);
  expect((await forget('192.0.2.78')).statusCode).toBe(400);
});

test('every writing call is counted by a limit, or listed with the reason why not', () => {
  const limited = new Set(
    Object.values(RATE_LIMITS).flatMap(({ calls: own = [], countedBy = [] }: RateLimit) => [...own, ...countedBy]),
  );
  const changing = calls
    .map(({ call }) => call as typeof call & { 'x-changes'?: boolean })
    .filter((call) => call['x-changes'] === true)
    .map(({ operationId }) => operationId);
  expect(changing.length).toBeGreaterThan(40);
  expect(changing.filter((id) => !limited.has(id as never) && !(id in UNLIMITED_CALLS))).toEqual([]);
  expect(Object.keys(UNLIMITED_CALLS).filter((id) => limited.has(id as never))).toEqual([]);
});

test('the contract has a 429 response for each call with a limit', () => {
  const limited = new Set<string>(
    Object.values(RATE_LIMITS).flatMap(({ calls: own = [], countedBy = [] }: RateLimit) => [...own, ...countedBy]),
  );
  const silent = calls.filter(({ call }) => limited.has(call.operationId) && !('429' in call.responses));
  expect(silent.map(({ call }) => call.operationId)).toEqual([]);
});
