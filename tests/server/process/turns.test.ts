import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Busy, Turns } from '../../../server/base/turns.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A step that lasts until it is told to end. */
function step() {
  let end = () => {};
  const lasts = new Promise<void>((resolve) => (end = resolve));
  return { run: () => lasts, end: () => end() };
}

const watched = (waiting: Promise<unknown>) => {
  const state = { over: false };
  void waiting.then(() => (state.over = true));
  return state;
};
/** Some turns of the event loop. */
const soon = async () => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
};

test('lists wait until no purchase is under way', async () => {
  const turns = new Turns();
  const [one, two] = [step(), step()];
  const purchases = [turns.purchase(one.run), turns.purchase(two.run)];
  const list = watched(turns.afterPurchases());
  one.end();
  await soon();
  expect(list.over).toBe(false);
  two.end();
  await soon();
  expect(list.over).toBe(true);
  await Promise.all(purchases);
  await turns.afterPurchases();
});

test('those who waited go on in small groups, and stop for the next purchase', async () => {
  const turns = new Turns();
  const [first, second] = [step(), step()];
  const purchase = turns.purchase(first.run);
  let gone = 0;
  for (let list = 0; list < 50; list += 1) void turns.afterPurchases().then(() => (gone += 1));
  first.end();
  await purchase;
  expect(gone).toBe(0);
  await soon();
  expect(gone).toBeGreaterThan(0);
  expect(gone).toBeLessThan(50);
  const next = turns.purchase(second.run);
  const before = gone;
  await soon();
  expect(gone).toBe(before);
  second.end();
  await next;
  while (gone < 50) await soon();
});

test('a purchase that takes long holds up nobody any more', async () => {
  const turns = new Turns();
  const slow = step();
  const purchase = turns.purchase(slow.run);
  await vi.advanceTimersByTimeAsync(251);
  await turns.afterPurchases();
  slow.end();
  await purchase;
});

test('nobody waits longer than a quarter of a second, however many buy', async () => {
  const turns = new Turns();
  void turns.purchase(step().run);
  const list = watched(turns.afterPurchases());
  for (const time of [60, 120, 180, 240, 300]) {
    void turns.purchase(step().run);
    await vi.advanceTimersByTimeAsync(60);
    await soon();
    expect(list.over, `after ${time} ms`).toBe(time > 250);
  }
});

test('a purchase that fails lets the others go on', async () => {
  const turns = new Turns();
  await expect(turns.purchase(() => Promise.reject(new Error('declined')))).rejects.toThrow('declined');
  await turns.afterPurchases();
});

test('work that hangs gives its place up, and who waits too long is told', async () => {
  const turns = new Turns();
  const hung = Array.from({ length: 4 }, () => turns.list(() => new Promise<void>(() => {})));
  const outcomes = Promise.allSettled(hung);
  const waits = expect(turns.list(async () => 'a list')).rejects.toThrow(Busy);
  await vi.advanceTimersByTimeAsync(25_000);
  await waits;
  const next = turns.list(async () => 'a list');
  await vi.advanceTimersByTimeAsync(6_000);
  expect(await next).toBe('a list');
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { statusCode: 503 } });
});

test('four lists are worked out at once, the next when one is done or has failed', async () => {
  const turns = new Turns();
  let working = 0;
  let most = 0;
  const steps = Array.from({ length: 10 }, step);
  const lists = steps.map(({ run }, place) =>
    turns.list(async () => {
      most = Math.max(most, (working += 1));
      await run();
      working -= 1;
      if (place % 3 === 0) throw new Error('no list');
    }),
  );
  const settled = Promise.allSettled(lists);
  await soon();
  expect(working).toBe(4);
  for (const each of steps) {
    each.end();
    await soon();
  }
  expect((await settled).filter(({ status }) => status === 'rejected')).toHaveLength(4);
  expect(most).toBe(4);
});
