import { createMachine, sendParent, sendTo, type AnyStateMachine } from 'xstate';
import { expect, test } from 'vitest';
import { paymentMachine } from '../../machines/buying/payment.ts';
import { purchaseMachine } from '../../machines/buying/purchase/purchase.ts';
import { shopMachine, shopScreenMachine } from '../../machines/app/shop.ts';
import type { Run } from '../../machines/trace/format.ts';
import { replay } from '../../machines/trace/replay.ts';
import { purchaseTrace } from './purchase.ts';

const recordPurchase = async (): Promise<Run> => {
  const [run] = (await purchaseTrace()).runs;
  if (run === undefined) throw new Error('The visit recorded no run.');
  return run;
};

test('a purchase is replayed by the machines alone, to the same states of every actor', async () => {
  const run = await recordPurchase();
  const { divergence, root, moments } = replay(shopMachine, run);
  expect(divergence).toBeNull();
  expect(root.getSnapshot()).toMatchObject({ value: 'open', context: { session: { userId: expect.any(String) as string } } });
  const flows = moments.map(({ actors }) => Object.keys(actors).filter((name) => name.startsWith('root/screen/flow')).length);
  expect(Math.max(...flows)).toBeGreaterThan(2);
});

test('a machine that behaves differently is found at the first step that differs', async () => {
  const run = await recordPurchase();
  const paid = run.steps.findIndex(({ input }) => input.kind === 'event' && input.event.type === 'pay.pressed');
  const changed = shopMachine.provide({
    actors: { screen: shopScreenMachine.provide({ actions: { goSignIn: () => {} } }) },
  });
  const { divergence, steps } = replay(changed, run);
  expect(divergence).toMatchObject({ why: 'a machine reacted differently', input: { event: { type: 'pay.pressed' } } });
  expect(steps[divergence?.step ?? -1]?.at).toBe(run.steps[paid]?.at);
});

/** The shop with another machine for a flow. */
const shopWith = (flow: string, machine: AnyStateMachine): AnyStateMachine =>
  shopMachine.provide({ actors: { screen: shopScreenMachine.provide({ actors: { [flow]: machine } } as never) } });

test('a machine that settles alike but sends its parent another event is found at that step', async () => {
  const run = await recordPurchase();
  const misled = paymentMachine.provide({ actions: { goPay: sendParent({ type: 'leave', url: 'https://else.example/' }) } });
  const { divergence } = replay(shopWith('purchase', purchaseMachine.provide({ actors: { payment: misled } })), run);
  expect(divergence).toMatchObject({
    why: 'a machine sent a different message',
    expected: { by: expect.stringMatching(/payment$/) as string, event: { type: 'leave', url: 'https://pay.example/1' } },
    got: { event: { type: 'leave', url: 'https://else.example/' } },
  });
});

test('a machine that sends another event to an actor it started is found at that step', async () => {
  const run = await recordPurchase();
  const changed = shopMachine.provide({
    actions: { tellScreen: sendTo('screen', ({ event }) => ({ ...event, isToldTwice: true })) },
  });
  expect(replay(changed, run).divergence).toMatchObject({
    why: 'a machine sent a different message',
    got: { by: 'root', to: 'root/screen' },
  });
});

test('a machine that calls a port with another input is found at that step', async () => {
  const run = await recordPurchase();
  const { config, implementations } = purchaseMachine as AnyStateMachine;
  const { quoting } = config.states as Record<string, { invoke: object }>;
  const invoke = { ...quoting?.invoke, input: { of: 'title', titleId: '1002', planId: '', countries: [] } };
  const states = { ...config.states, quoting: { ...quoting, invoke } };
  const misled = createMachine({ ...config, states } as never, implementations as never) as AnyStateMachine;
  const { divergence } = replay(shopWith('purchase', misled), run);
  expect(divergence).toMatchObject({
    expected: { to: expect.stringMatching(/offer$/) as string, input: { titleId: '1001' } },
    got: { input: { titleId: '1002' } },
  });
});

test('a record without sent events is compared by states and contexts alone', async () => {
  const { tells, steps, ...run } = await recordPurchase();
  expect(tells).toBe('all');
  expect(steps.flatMap(({ told = [] }) => told).length).toBeGreaterThan(10);
  const older = { ...run, steps: steps.map(({ at, input, reactions }) => ({ at, input, reactions })) };
  expect(replay(shopMachine, older).divergence).toBeNull();
});
