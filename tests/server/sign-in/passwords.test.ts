import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { createPasswords, type Passwords } from '../../../server/accounts/passwords.ts';
import { PASSWORD } from '../support/customers.ts';

const open: Passwords[] = [];
afterEach(async () => {
  for (const passwords of open.splice(0)) await passwords.close();
});
const opened = (cost: number): Passwords => {
  const passwords = createPasswords(cost, () => undefined);
  open.push(passwords);
  return passwords;
};

test('as much work is done for an unknown address as for a wrong password', async () => {
  const passwords = opened(2 ** 14);
  const hash = await passwords.hash(PASSWORD);
  const time = async (stored: string | undefined) => {
    const started = performance.now();
    expect(await passwords.matches('wrong', stored)).toBe(false);
    return performance.now() - started;
  };
  const quickest = async (stored: string | undefined) => Math.min(await time(stored), await time(stored), await time(stored));
  const [known, unknown] = [await quickest(hash), await quickest(undefined)];
  expect(unknown).toBeGreaterThan(known / 3);
});

test('hashes are salted, memory-hard and never the password', async () => {
  const passwords = opened(2 ** 10);
  const [one, two] = [await passwords.hash(PASSWORD), await passwords.hash(PASSWORD)];
  expect(one).toMatch(/^scrypt\$1024\$[\w-]{22}\$[\w-]{43}$/);
  expect(one).not.toBe(two);
  expect(await passwords.matches(PASSWORD, one)).toBe(true);
  expect(await passwords.matches(`${PASSWORD}.`, one)).toBe(false);
  // The cost is read from the hash: one made at another cost still holds.
  expect(await opened(2 ** 11).matches(PASSWORD, one)).toBe(true);
});

test('files do not wait for passwords', async () => {
  const passwords = opened(2 ** 15);
  let done = 0;
  const hashes = Array.from({ length: 8 }, async () => {
    await passwords.hash(PASSWORD);
    done += 1;
  });
  await hashes[0];
  const before = done;
  await readFile(import.meta.filename);
  expect(done - before).toBeLessThanOrEqual(1);
  await Promise.all(hashes);
});

test('a known device is let past those who wait, and finds a place among too many', async () => {
  const passwords = opened(2 ** 10);
  const hash = await passwords.hash(PASSWORD);
  const order: string[] = [];
  const strangers = Array.from({ length: 40 }, () => passwords.matches('a guess', hash).then(() => order.push('stranger')));
  const known = passwords.matches(PASSWORD, hash, { key: 'customer', goesFirst: true }).then((matches) => {
    order.push('known');
    expect(matches).toBe(true);
  });
  await Promise.allSettled([...strangers, known]);
  await known;
  // Not before those who have a thread already.
  expect(order.indexOf('known')).toBeLessThanOrEqual(availableParallelism());
});

test('those who are let past others leave them every second turn', async () => {
  const passwords = opened(2 ** 10);
  const hash = await passwords.hash(PASSWORD);
  const order: string[] = [];
  const ask = (kind: string, key: string, goesFirst: boolean) =>
    passwords.matches(PASSWORD, hash, { key, goesFirst }).then(() => order.push(kind));
  const busy = Array.from({ length: availableParallelism() }, () => passwords.hash(PASSWORD));
  const known = Array.from({ length: 20 }, (_, at) => ask('known', `customer ${at}`, true));
  const strangers = Array.from({ length: 5 }, () => ask('stranger', '192.0.2.1', false));
  await Promise.all([...busy, ...known, ...strangers]);
  // Threads may finish in another order than they begin.
  expect(order.lastIndexOf('stranger')).toBeLessThan(10 + 2 * availableParallelism());
});

test('one account and one network keep others from the queue neither with right passwords nor with wrong ones', async () => {
  const passwords = opened(2 ** 10);
  const hash = await passwords.hash(PASSWORD);
  const ask = (key: string, goesFirst: boolean) => passwords.matches(PASSWORD, hash, { key, goesFirst });
  const floods = [
    ...Array.from({ length: 60 }, () => ask('one account', true)),
    ...Array.from({ length: 60 }, () => ask('192.0.2.1', false)),
  ];
  const others = [ask('another account', true), ask('192.0.2.2', false)];
  const answers = await Promise.allSettled(floods);
  expect(await Promise.all(others)).toEqual([true, true]);
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  expect(refused.length).toBeGreaterThan(60);
  for (const reason of refused) expect(reason).toMatchObject({ kind: 'too_many_requests', details: { retryAfterSeconds: 10 } });
});

test('of too many at once the last are refused, not kept waiting', async () => {
  const passwords = opened(2 ** 10);
  const answers = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.hash(PASSWORD)));
  const refused = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason as unknown);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(30);
  for (const reason of refused) expect(reason).toMatchObject({ kind: 'too_many_requests', details: { retryAfterSeconds: 10 } });
});

test('fifty customers sign in at once, and none is turned away', { timeout: 60_000 }, async () => {
  const passwords = opened(2 ** 10);
  const hash = await passwords.hash(PASSWORD);
  const signedIn = await Promise.allSettled(Array.from({ length: 50 }, () => passwords.matches(PASSWORD, hash)));
  expect(signedIn.filter(({ status }) => status === 'rejected')).toEqual([]);
});
