import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countAttempt } from '../../../server/accounts/password-attempts.ts';
import { toNetworks } from '../../../server/base/network.ts';
import { basicAuth, createCustomer, PASSWORD } from '../support/customers.ts';
import { findDeviceCookie } from '../support/known-devices.ts';
import { inBatches } from '../support/in-batches.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

describe('guessing passwords', () => {
  const from = (remoteAddress: string, email: string, password: string, cookie?: string) =>
    shop.app.inject({
      url: `/api/user/signin?${new URLSearchParams({ shelfid: store, appid: 'web' }).toString()}`,
      remoteAddress,
      headers: { ...basicAuth(email, password), ...(cookie === undefined ? {} : { cookie }) },
    });
  /** Signs in on a device. @returns its cookie */
  const signInOn = async (deviceid: string, remoteAddress: string, email: string) => {
    const query = new URLSearchParams({ shelfid: store, appid: 'web', deviceid });
    const headers = basicAuth(email, PASSWORD);
    const answer = await shop.app.inject({ url: `/api/user/signin?${query.toString()}`, remoteAddress, headers });
    expect(answer.statusCode).toBe(200);
    return findDeviceCookie(answer.headers);
  };
  const guess = async (count: number, remoteAddress: string, email: string, cookie?: string) => {
    const guesses = Array.from({ length: count }, () => () => from(remoteAddress, email, 'a guess of it', cookie));
    return (await inBatches(guesses)).filter(({ statusCode }) => statusCode === 401).length;
  };
  const passTime = (milliseconds: number) =>
    shop.db
      .updateTable('rate_limit_counters')
      .set({
        retry_at: sql<Date>`retry_at - make_interval(secs => ${milliseconds / 1000}::float)`,
        window_ends_at: sql<Date>`window_ends_at - make_interval(secs => ${milliseconds / 1000}::float)`,
      })
      .where('store_id', '=', store)
      .execute();

  /** Delays the next attempt under a subject by more than a slow machine needs. */
  const hold = (subject: string) =>
    shop.db
      .updateTable('rate_limit_counters')
      .set({ retry_at: sql<Date>`now() + interval '25 seconds'` })
      .where('store_id', '=', store)
      .where('subject', '=', subject)
      .execute();

  test('is delayed after five guesses, with delays that double up to a quarter of an hour', async () => {
    const { email } = await createCustomer(shop, store);
    expect(await guess(14, '192.0.2.10', email)).toBe(5);
    for (const delay of [4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      await passTime(900_000);
      const before = Date.now();
      expect(await guess(1, '192.0.2.10', email)).toBe(1);
      const after = Date.now();
      const { retry_at } = await shop.db
        .selectFrom('rate_limit_counters')
        .select('retry_at')
        .where('store_id', '=', store)
        .where('subject', '=', `pair:192.0.2.10 ${email}`)
        .executeTakeFirstOrThrow();
      expect(retry_at.getTime() - before).toBeGreaterThanOrEqual(delay * 1000);
      expect(retry_at.getTime() - after).toBeLessThanOrEqual(delay * 1000);
    }
    const refused = await from('192.0.2.10', email, PASSWORD);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
    await passTime(30 * 60_000);
    expect((await from('192.0.2.10', email, PASSWORD)).statusCode).toBe(200);
    expect(await guess(14, '192.0.2.10', email)).toBe(5);
  });

  test('by a stranger does not lock the customer out, not even on a new device in another network', async () => {
    const { email } = await createCustomer(shop, store);
    await guess(30, '192.0.2.11', email);
    expect((await from('198.51.100.7', email, PASSWORD)).statusCode).toBe(200);
  });

  test('from many networks locks out only strangers: a device that the account knows can sign in', async () => {
    const { email } = await createCustomer(shop, store);
    const laptop = await signInOn('my-laptop', '198.51.100.8', email);
    let checked = 0;
    for (let network = 0; network < 40; network += 1) checked += await guess(5, `203.0.113.${network}`, email);
    expect(checked).toBe(200);
    await hold(`account:${email}`);
    expect((await from('198.51.100.8', email, PASSWORD)).statusCode).toBe(429);
    expect((await from('198.51.100.8', email, PASSWORD, laptop)).statusCode).toBe(200);
    // A made-up secret, or that of a removed device, is treated as a stranger's.
    expect((await from('198.51.100.8', email, PASSWORD, `device=${'x'.repeat(43)}`)).statusCode).toBe(429);
    await shop.db.updateTable('devices').set({ removed_at: new Date() }).where('id', '=', 'my-laptop').execute();
    expect((await from('198.51.100.8', email, PASSWORD, laptop)).statusCode).toBe(429);
    // After the wait one attempt of a stranger is checked.
    await passTime(25_000);
    expect((await from('198.51.100.8', email, PASSWORD)).statusCode).toBe(200);
  });

  test('on a device that the account knows is treated as mistyping, up to a hundred times', async () => {
    const { email } = await createCustomer(shop, store);
    const phone = await signInOn('my-phone', '198.51.100.9', email);
    // One after the other: the queue for a thread is short per account.
    const guessInTurn = async (count: number, cookie: string | undefined) => {
      let checked = 0;
      for (let at = 0; at < count; at += 1) checked += await guess(1, '198.51.100.9', email, cookie);
      return checked;
    };
    expect(await guessInTurn(60, phone)).toBe(60);
    expect((await from('198.51.100.9', email, PASSWORD, phone)).statusCode).toBe(200);
    // A hundred including the right ones, also across several devices, and then a stranger's share.
    const laptop = await signInOn('my-laptop', '198.51.100.9', email);
    expect((await guessInTurn(20, phone)) + (await guessInTurn(40, laptop))).toBe(44);
  });

  test('an attempt that was never checked (no free thread) does not count as a guess', async () => {
    const { email } = await createCustomer(shop, store);
    const costly = ['scrypt', 2 ** 13, ...[16, 32].map((size) => Buffer.alloc(size).toString('base64url'))].join('$');
    const others = Promise.allSettled(Array.from({ length: 80 }, () => shop.services.passwords.matches('a guess', costly)));
    const burst = Array.from({ length: 20 }, () => from('192.0.2.14', `${randomUUID()}@example.org`, 'a guess of it'));
    const answers = await Promise.all(burst);
    const checked = answers.filter(({ statusCode }) => statusCode === 401).length;
    expect(checked).toBeLessThan(20);
    await others;
    // The network can use the rest of its limit, and no more.
    const more = Array.from({ length: 60 - checked }, () => () => from('192.0.2.14', `${randomUUID()}@example.org`, 'a guess'));
    expect((await inBatches(more)).every(({ statusCode }) => statusCode === 401)).toBe(true);
    await hold('network:192.0.2.14');
    expect((await from('192.0.2.14', email, PASSWORD)).statusCode).toBe(429);
  });

  test('concurrent first attempts are not delayed', async () => {
    const rounds = Array.from({ length: 40 }, (_, round) => async () => {
      const attempt = { storeId: store, email: `${randomUUID()}@example.org`, address: `198.51.100.${round}` };
      const counted = await Promise.all(Array.from({ length: 4 }, () => countAttempt(shop.db, attempt)));
      return counted.map(({ wait }) => wait);
    });
    for (const round of rounds) expect(await round()).toEqual([0, 0, 0, 0]);
  });

  test('one password tried on many accounts is stopped for the network', async () => {
    const emails = Array.from({ length: 60 }, () => `${randomUUID()}@example.org`);
    const answers = await inBatches(emails.map((email) => () => from('192.0.2.12', email, 'summer2026')));
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(60);
    await hold('network:192.0.2.12');
    const { email } = await createCustomer(shop, store);
    expect((await from('192.0.2.12', email, PASSWORD)).statusCode).toBe(429);
    expect((await from('192.0.2.13', email, PASSWORD)).statusCode).toBe(200);
  });
});

test.each([
  ['192.0.2.1', ['192.0.2.1']],
  ['::ffff:192.0.2.1', ['192.0.2.1']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['2001:db8:1:2::', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['2001:0db8::6', ['2001:db8:0:0::/64', '2001:db8:0::/48']],
  ['::1', ['0:0:0:0::/64', '0:0:0::/48']],
  ['1::2:3:4:5:6:7', ['1:0:2:3::/64', '1:0:2::/48']],
  ['::ffff:c000:201', ['192.0.2.1']],
  ['0:0:0:0:0:FFFF:192.0.2.1', ['192.0.2.1']],
  ['64:ff9b::192.0.2.1', ['192.0.2.1']],
  ['64:ff9b::c000:201', ['192.0.2.1']],
  ['192.0.2.1:50312', ['192.0.2.1']],
  ['[2001:db8:1:2::5]:50312', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0::/48']],
  ['_hidden', ['unknown']],
  ['', ['unknown']],
  ['64:ff9b:1:2:3::192.0.2.1', ['64:ff9b:1:2::/64', '64:ff9b:1::/48']],
])('%s counts in the networks %j', (address, networks) => {
  expect(toNetworks(address)).toEqual(networks);
});
