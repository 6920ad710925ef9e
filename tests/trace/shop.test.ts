import { expect, test } from 'vitest';
import { shopMachine, shopScreenMachine } from '../../machines/app/shop.ts';
import type { Run } from '../../machines/trace/format.ts';
import { replay } from '../../machines/trace/replay.ts';
import { purchaseTrace } from './purchase.ts';

const recordedPurchase = async (): Promise<Run> => {
  const [run] = (await purchaseTrace()).runs;
  if (run === undefined) throw new Error('Nothing was recorded.');
  return run;
};

test('a purchase is replayed by the machines alone, to the same states of every actor', async () => {
  const run = await recordedPurchase();
  const { divergence, root, moments } = replay(shopMachine, run);
  expect(divergence).toBeNull();
  expect(root.getSnapshot()).toMatchObject({ value: 'open', context: { session: { userId: expect.any(String) as string } } });
  const flows = moments.map(({ actors }) => Object.keys(actors).filter((name) => name.startsWith('root/screen/flow')).length);
  expect(Math.max(...flows)).toBeGreaterThan(2);
});

test('a machine that behaves differently is found at the first different step', async () => {
  const run = await recordedPurchase();
  const paid = run.steps.findIndex(({ input }) => input.kind === 'event' && input.event.type === 'pay.pressed');
  const changed = shopMachine.provide({
    actors: { screen: shopScreenMachine.provide({ actions: { goSignIn: () => {} } }) },
  });
  const { divergence, steps } = replay(changed, run);
  expect(divergence).toMatchObject({ why: 'a machine settled otherwise', input: { event: { type: 'pay.pressed' } } });
  expect(steps[divergence?.step ?? -1]?.at).toBe(run.steps[paid]?.at);
});
