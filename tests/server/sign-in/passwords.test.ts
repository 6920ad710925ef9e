import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { createPasswords, type Passwords } from '../../../server/accounts/passwords.ts';
import { PASSWORD } from '../support/customers.ts';

const openPools: Passwords[] = [];
afterEach(async () => {
  for (const passwords of openPools.splice(0)) await passwords.close();
});
const openPool = (cost: number): Passwords => {
  const passwords = createPasswords(cost, () => undefined);
  openPools.push(passwords);
  return passwords;
};

test('an unknown address costs as much work as a wrong password', async () => {
  const passwords = openPool(2 ** 14);
  const hash = await passwords.hash(PASSWORD);
  const measureCheck = async (storedHash: string | undefined) => {
    const start = performance.now();
    expect(await passwords.matches('wrong', storedHash)).toBe(false);
    return performance.now() - start;
  };
  const measureFastest = async (storedHash: string | undefined) =>
    Math.min(await measureCheck(storedHash), await measureCheck(storedHash), await measureCheck(storedHash));
  const [knownMs, unknownMs] = [await measureFastest(hash), await measureFastest(undefined)];
  expect(unknownMs).toBeGreaterThan(knownMs / 3);
});

test('hashes are salted and memory-hard, and never contain the password', async () => {
  const passwords = openPool(2 ** 10);
  const [firstHash, secondHash] = [await passwords.hash(PASSWORD), await passwords.hash(PASSWORD)];
  expect(firstHash).toMatch(/^scrypt\$1024\$[\w-]{22}\$[\w-]{43}$/);
  expect(firstHash).not.toBe(secondHash);
  expect(await passwords.matches(PASSWORD, firstHash)).toBe(true);
  expect(await passwords.matches(`${PASSWORD}.`, firstHash)).toBe(false);
  // The cost is read from the hash: a hash made at another cost remains valid.
  expect(await openPool(2 ** 11).matches(PASSWORD, firstHash)).toBe(true);
});

test('file operations do not wait for password checks', async () => {
  const passwords = openPool(2 ** 15);
  let doneCount = 0;
  const hashes = Array.from({ length: 8 }, async () => {
    await passwords.hash(PASSWORD);
    doneCount += 1;
  });
  await hashes[0];
  const doneCountBefore = doneCount;
  await readFile(import.meta.filename);
  expect(doneCount - doneCountBefore).toBeLessThanOrEqual(1);
  await Promise.all(hashes);
});

test('a known device jumps the queue, and finds a place in a full queue', async () => {
  const passwords = openPool(2 ** 10);
  const hash = await passwords.hash(PASSWORD);
  const order: string[] = [];
  const strangers = Array.from({ length: 40 }, () => passwords.matches('a guess', hash).then(() => order.push('stranger')));
  const knownDevice = passwords.matches(PASSWORD, hash, { key: 'customer', goesFirst: true }).then((matches) => {
    order.push('known');
    expect(matches).toBe(true);
  });
  await Promise.allSettled([...strangers, knownDevice]);
  await knownDevice;
  // A known device does not overtake checks that already have a thread.
  expect(order.indexOf('known')).toBeLessThanOrEqual(availableParallelism());
});

test('priority tasks take at most every second turn', async () => {
  const passwords = openPool(2 ** 10);
  const hash = await passwords.hash(PASSWORD);
  const order: string[] = [];
  const enqueueCheck = (kind: string, key: string, goesFirst: boolean) =>
    passwords.matches(PASSWORD, hash, { key, goesFirst }).then(() => order.push(kind));
  const busyThreads = Array.from({ length: availableParallelism() }, () => passwords.hash(PASSWORD));
  const knownDevices = Array.from({ length: 20 }, (_, index) => enqueueCheck('known', `customer ${index}`, true));
  const strangers = Array.from({ length: 5 }, () => enqueueCheck('stranger', '192.0.2.1', false));
  await Promise.all([...busyThreads, ...knownDevices, ...strangers]);
  // Threads may finish in another order than they start.
  expect(order.lastIndexOf('stranger')).toBeLessThan(10 + 2 * availableParallelism());
});

test('one account and one network cannot fill the queue, neither with right passwords nor with wrong ones', async () => {
  const passwords = openPool(2 ** 10);
  const hash = await passwords.hash(PASSWORD);
  const check = (key: string, goesFirst: boolean) => passwords.matches(PASSWORD, hash, { key, goesFirst });
  const floodChecks = [
    ...Array.from({ length: 60 }, () => check('one account', true)),
    ...Array.from({ length: 60 }, () => check('192.0.2.1', false)),
  ];
  const otherChecks = [check('another account', true), check('192.0.2.2', false)];
  const results = await Promise.allSettled(floodChecks);
  expect(await Promise.all(otherChecks)).toEqual([true, true]);
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  expect(reasons.length).toBeGreaterThan(60);
  for (const reason of reasons) expect(reason).toMatchObject({ kind: 'too_many_requests', details: { retryAfterSeconds: 10 } });
});

test('of too many concurrent tasks, the last ones are refused instead of queued', async () => {
  const passwords = openPool(2 ** 10);
  const results = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.hash(PASSWORD)));
  const reasons = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown);
  expect(reasons.length).toBeGreaterThan(0);
  expect(reasons.length).toBeLessThan(30);
  for (const reason of reasons) expect(reason).toMatchObject({ kind: 'too_many_requests', details: { retryAfterSeconds: 10 } });
});

test('fifty password checks at once are all accepted', { timeout: 60_000 }, async () => {
  const passwords = openPool(2 ** 10);
  const hash = await passwords.hash(PASSWORD);
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => passwords.matches(PASSWORD, hash)));
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
});
