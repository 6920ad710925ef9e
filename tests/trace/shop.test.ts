import type { EventObject } from 'xstate';
import { expect, test } from 'vitest';
import { shopMachine } from '../../machines/shop.ts';
import type { Run } from '../../machines/trace/format.ts';
import { record } from '../../machines/trace/record.ts';
import { replay } from '../../machines/trace/replay.ts';
import { flowOf, form, openShop, settle } from '../machines/open-shop.ts';
import { simulatedTime } from './session.ts';

/** A visitor who buys: title, summary, sign-in, payment. */
const recordedPurchase = async (): Promise<Run> => {
  const time = simulatedTime();
  const timers = { now: time.now, set: time.set, clear: time.clear };
  const { run, options } = record(timers, { layout: 'desktop', locale: 'en' });
  const { app } = openShop('/id:1001/the-keeper', {}, options);
  const steps: EventObject[] = [
    { type: 'buy.pressed' },
    { type: 'pay.pressed' },
    { type: 'signIn.submitted', pii: { form } } as EventObject,
  ];
  for (const event of steps) {
    await settle();
    flowOf(app).send(event);
  }
  await settle();
  const recorded = JSON.parse(JSON.stringify(run)) as Run;
  app.stop();
  return recorded;
};

test('a purchase is replayed by the machines alone, to the same states of every actor', async () => {
  const run = await recordedPurchase();
  const { divergence, root, moments } = replay(shopMachine, run);
  expect(divergence).toBeNull();
  expect(root.getSnapshot()).toMatchObject({ value: { open: 'showing' }, context: { flow: 'checkout', signedIn: true } });
  const flows = moments.map(({ actors }) => Object.keys(actors).filter((name) => name.startsWith('root/flow')).length);
  expect(Math.max(...flows)).toBeGreaterThan(2);
});

test('a machine that behaves otherwise is found at the step where it does', async () => {
  const run = await recordedPurchase();
  const paid = run.steps.findIndex(({ input }) => input.kind === 'event' && input.event.type === 'pay.pressed');
  const changed = shopMachine.provide({ guards: { hasExpired: () => true } });
  const { divergence, steps } = replay(changed, run);
  expect(divergence).toMatchObject({ why: 'a machine settled otherwise', input: { event: { type: 'pay.pressed' } } });
  expect(steps[divergence?.step ?? -1]?.at).toBe(run.steps[paid]?.at);
});
