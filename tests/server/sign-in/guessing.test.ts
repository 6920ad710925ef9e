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
  const signInFrom = (remoteAddress: string, email: string, password: string, cookie?: string) =>
    shop.app.inject({
      url: `/api/user/signin?${new URLSearchParams({ shelfid: store, appid: 'web' }).toString()}`,
      remoteAddress,
      headers: { ...basicAuth(email, password), ...(cookie === undefined ? {} : { cookie }) },
    });
  /** Signs in on a device. @returns the device's cookie */
  const signInOnDevice = async (deviceid: string, remoteAddress: string, email: string) => {
    const query = new URLSearchParams({ shelfid: store, appid: 'web', deviceid });
    const headers = basicAuth(email, PASSWORD);
    const response = await shop.app.inject({ url: `/api/user/signin?${query.toString()}`, remoteAddress, headers });
    expect(response.statusCode).toBe(200);
    return findDeviceCookie(response.headers);
  };
  /** Guesses a wrong password several times. @returns the number of guesses that were checked */
  const countCheckedGuesses = async (count: number, remoteAddress: string, email: string, cookie?: string) => {
    const guesses = Array.from({ length: count }, () => () => signInFrom(remoteAddress, email, 'a guess of it', cookie));
    return (await inBatches(guesses)).filter(({ statusCode }) => statusCode === 401).length;
  };
  /** Moves the ends of all delays and windows of the store back. */
  const passTime = (milliseconds: number) =>
    shop.db
      .updateTable('rate_limit_counters')
      .set({
        retry_at: sql<Date>`retry_at - make_interval(secs => ${milliseconds / 1000}::float)`,
        window_ends_at: sql<Date>`window_ends_at - make_interval(secs => ${milliseconds / 1000}::float)`,
      })
      .where('store_id', '=', store)
      .execute();

  /** Delays the next attempt of a subject by more time than a slow computer needs for a test. */
  const delayNextAttempt = (subject: string) =>
    shop.db
      .updateTable('rate_limit_counters')
      .set({ retry_at: sql<Date>`now() + interval '25 seconds'` })
      .where('store_id', '=', store)
      .where('subject', '=', subject)
      .execute();

  test('guessing passwords is delayed after five guesses, with delays that double up to a quarter of an hour', async () => {
    const { email } = await createCustomer(shop, store);
    expect(await countCheckedGuesses(14, '192.0.2.10', email)).toBe(5);
    for (const delay of [4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      await passTime(900_000);
      const timeBefore = Date.now();
      expect(await countCheckedGuesses(1, '192.0.2.10', email)).toBe(1);
      const timeAfter = Date.now();
      const { retry_at } = await shop.db
        .selectFrom('rate_limit_counters')
        .select('retry_at')
        .where('store_id', '=', store)
        .where('subject', '=', `pair:192.0.2.10 ${email}`)
        .executeTakeFirstOrThrow();
      expect(retry_at.getTime() - timeBefore).toBeGreaterThanOrEqual(delay * 1000);
      expect(retry_at.getTime() - timeAfter).toBeLessThanOrEqual(delay * 1000);
    }
    const refusal = await signInFrom('192.0.2.10', email, PASSWORD);
    expect(refusal.statusCode).toBe(429);
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(800);
    await passTime(30 * 60_000);
    expect((await signInFrom('192.0.2.10', email, PASSWORD)).statusCode).toBe(200);
    expect(await countCheckedGuesses(14, '192.0.2.10', email)).toBe(5);
  });

  test('guesses by a stranger do not lock the customer out, not even on a new device in another network', async () => {
    const { email } = await createCustomer(shop, store);
    await countCheckedGuesses(30, '192.0.2.11', email);
    expect((await signInFrom('198.51.100.7', email, PASSWORD)).statusCode).toBe(200);
  });

  test('guesses from many networks lock out only strangers: a device that the account knows can sign in', async () => {
    const { email } = await createCustomer(shop, store);
    const laptop = await signInOnDevice('my-laptop', '198.51.100.8', email);
    let checkedCount = 0;
    for (let network = 0; network < 40; network += 1) checkedCount += await countCheckedGuesses(5, `203.0.113.${network}`, email);
    expect(checkedCount).toBe(200);
    await delayNextAttempt(`account:${email}`);
    expect((await signInFrom('198.51.100.8', email, PASSWORD)).statusCode).toBe(429);
    expect((await signInFrom('198.51.100.8', email, PASSWORD, laptop)).statusCode).toBe(200);
    // A made-up secret, or that of a removed device, is treated as a stranger's.
    expect((await signInFrom('198.51.100.8', email, PASSWORD, `device=${'x'.repeat(43)}`)).statusCode).toBe(429);
    await shop.db.updateTable('devices').set({ removed_at: new Date() }).where('id', '=', 'my-laptop').execute();
    expect((await signInFrom('198.51.100.8', email, PASSWORD, laptop)).statusCode).toBe(429);
    // After the wait one attempt of a stranger is checked.
    await passTime(25_000);
    expect((await signInFrom('198.51.100.8', email, PASSWORD)).statusCode).toBe(200);
  });

  test('wrong passwords on a device that the account knows are checked without delay, up to a hundred attempts', async () => {
    const { email } = await createCustomer(shop, store);
    const phone = await signInOnDevice('my-phone', '198.51.100.9', email);
    // Sends one guess at a time: the queue for checks of one account's password is short.
    const countCheckedInTurn = async (count: number, cookie: string | undefined) => {
      let checkedCount = 0;
      for (let index = 0; index < count; index += 1) checkedCount += await countCheckedGuesses(1, '198.51.100.9', email, cookie);
      return checkedCount;
    };
    expect(await countCheckedInTurn(60, phone)).toBe(60);
    expect((await signInFrom('198.51.100.9', email, PASSWORD, phone)).statusCode).toBe(200);
    // A hundred attempts on all devices, right ones included, and then those of a stranger.
    const laptop = await signInOnDevice('my-laptop', '198.51.100.9', email);
    expect((await countCheckedInTurn(20, phone)) + (await countCheckedInTurn(40, laptop))).toBe(44);
  });

  test('an attempt that was not checked for lack of a free thread does not count as a guess', async () => {
    const { email } = await createCustomer(shop, store);
    const costlyHash = ['scrypt', 2 ** 13, ...[16, 32].map((size) => Buffer.alloc(size).toString('base64url'))].join('$');
    const otherChecks = Promise.allSettled(
      Array.from({ length: 80 }, () => shop.services.passwords.matches('a guess', costlyHash)),
    );
    const attempts = Array.from({ length: 20 }, () => signInFrom('192.0.2.14', `${randomUUID()}@example.org`, 'a guess of it'));
    const responses = await Promise.all(attempts);
    const checkedCount = responses.filter(({ statusCode }) => statusCode === 401).length;
    expect(checkedCount).toBeLessThan(20);
    await otherChecks;
    // The network can use the remaining attempts of its limit, and no more.
    const moreAttempts = Array.from(
      { length: 60 - checkedCount },
      () => () => signInFrom('192.0.2.14', `${randomUUID()}@example.org`, 'a guess'),
    );
    expect((await inBatches(moreAttempts)).every(({ statusCode }) => statusCode === 401)).toBe(true);
    await delayNextAttempt('network:192.0.2.14');
    expect((await signInFrom('192.0.2.14', email, PASSWORD)).statusCode).toBe(429);
  });

  test('concurrent first attempts are not delayed', async () => {
    const rounds = Array.from({ length: 40 }, (_, round) => async () => {
      const attempt = { storeId: store, email: `${randomUUID()}@example.org`, address: `198.51.100.${round}` };
      const countedAttempts = await Promise.all(Array.from({ length: 4 }, () => countAttempt(shop.db, attempt)));
      return countedAttempts.map(({ wait }) => wait);
    });
    for (const round of rounds) expect(await round()).toEqual([0, 0, 0, 0]);
  });

  test('trying one password on many accounts is limited per network', async () => {
    const emails = Array.from({ length: 60 }, () => `${randomUUID()}@example.org`);
    const responses = await inBatches(emails.map((email) => () => signInFrom('192.0.2.12', email, 'summer2026')));
    expect(responses.filter(({ statusCode }) => statusCode === 401)).toHaveLength(60);
    await delayNextAttempt('network:192.0.2.12');
    const { email } = await createCustomer(shop, store);
    expect((await signInFrom('192.0.2.12', email, PASSWORD)).statusCode).toBe(429);
    expect((await signInFrom('192.0.2.13', email, PASSWORD)).statusCode).toBe(200);
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
