import { expect, test } from 'vitest';
import { createActor, createMachine } from 'xstate';
import { whenIdle } from '../../src/ssr/idle.ts';

const shop = createActor(createMachine({})).start();

test('a hanging call is awaited until rendering is abandoned, and no longer', async () => {
  const abortController = new AbortController();
  const idlePromise = whenIdle(shop, { calls: () => new Promise(() => {}) }, abortController.signal);
  abortController.abort(new Error('It took too long.'));
  await expect(idlePromise).rejects.toThrow('It took too long.');
});

test('a shop without pending calls and timers is idle', async () => {
  await expect(whenIdle(shop, { calls: () => null }, new AbortController().signal)).resolves.toBeUndefined();
});
