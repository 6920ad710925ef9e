import { expect, test } from 'vitest';
import { createActor, createMachine } from 'xstate';
import { whenAtRest } from '../../src/painting/at-rest.ts';

const shop = createActor(createMachine({})).start();

test('a call that hangs is waited for until the page is given up, and no longer', async () => {
  const giveUp = new AbortController();
  const rest = whenAtRest(shop, { calls: () => new Promise(() => {}) }, giveUp.signal);
  giveUp.abort(new Error('It took too long.'));
  await expect(rest).rejects.toThrow('It took too long.');
});

test('a shop that asks nothing and waits for nothing is at rest', async () => {
  await expect(whenAtRest(shop, { calls: () => null }, new AbortController().signal)).resolves.toBeUndefined();
});
