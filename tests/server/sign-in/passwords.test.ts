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
  const time = async (stored: string | undefined) => {
    const started = performance.now();
    expect(await passwords.matches('wrong', stored)).toBe(false);
    return performance.now() - started;
  };
  const quickest = async (stored: string | undefined) => Math.min(await time(stored), await time(stored), await time(stored));
  const [known, unknown] = [await quickest(hash), await quickest(undefined)];
  expect(unknown).toBeGreaterThan(known / 3);
});

test('hashes are salted and memory-hard, and never contain the password', async () => {
  const passwords = openPool(2 ** 10);
  const [one, two] = [await passwords.hash(PASSWORD), await passwords.hash(PASSWORD)];
  expect(one).toMatch(/^scrypt\$1024\$[\w-]{22}\$[\w-]{43}$/);
  expect(one).not.toBe(two);
  expect(await passwords.matches(PASSWORD, one)).toBe(true);
  expect(await passwords.matches(`${PASSWORD}.`, one)).toBe(false);
  // The cost is read from the hash: one made at another cost remains valid.
  expect(await openPool(2 ** 11).matches(PASSWORD, one)).toBe(true);
});

test('file operations do not wait for password checks', async () => {
  const passwords = openPool(2 ** 15);
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

test('a known device jumps the queue, and finds a place in a full one', async () => {
  const passwords = openPool(2 ** 10);
  const hash = await passwords.hash(PASSWORD);
  const order: string[] = [];
  const strangers = Array.from({ length: 40 }, () => passwords.matches('a guess', hash).then(() => order.push('stranger')));
  const known = passwords.matches(PASSWORD, hash, { key: 'customer', goesFirst: true }).then((matches) => {
    order.push('known');
    expect(matches).toBe(true);
  });
  await Promise.allSettled([...strangers, known]);
  await known;
  // Not before those that already have a thread.
  expect(order.indexOf('known')).toBeLessThanOrEqual(availableParallelism());
});

test('priority tasks take at most every second turn', async () => {
  const passwords = openPool(2 ** 10);
  const hash = await passwords.hash(PASSWORD);
  const order: string[] = [];
  const ask = (kind: string, key: string, goesFirst: boolean) =>
    passwords.matches(PASSWORD, hash, { key, goesFirst }).then(() => order.push(kind));
  const busy = Array.from({ length: availableParallelism() }, () => passwords.hash(PASSWORD));
  const known = Array.from({ length: 20 }, (_, at) => ask('known', `customer ${at}`, true));
  const strangers = Array.from({ length: 5 }, () => ask('stranger', '192.0.2.1', false));
  await Promise.all([...busy, ...known, ...strangers]);
  // Threads may finish in another order than they start.
  expect(order.lastIndexOf('stranger')).toBeLessThan(10 + 2 * availableParallelism());
});

test('one account and one network cannot fill the queue, neither with right passwords nor with wrong ones', async () => {
  const passwords = openPool(2 ** 10);
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

test('when too many come at once, the last ones are refused instead of queued', async () => {
  const passwords = openPool(2 ** 10);
  const answers = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.hash(PASSWORD)));
  const refused = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason as unknown);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(30);
  for (const reason of refused) expect(reason).toMatchObject({ kind: 'too_many_requests', details: { retryAfterSeconds: 10 } });
});

test('fifty customers sign in at once, and none is refused', { timeout: 60_000 }, async () => {
  const passwords = openPool(2 ** 10);
  const hash = await passwords.hash(PASSWORD);
  const signedIn = await Promise.allSettled(Array.from({ length: 50 }, () => passwords.matches(PASSWORD, hash)));
  expect(signedIn.filter(({ status }) => status === 'rejected')).toEqual([]);
});
