import { createMachine, sendParent, sendTo, type AnyStateMachine } from 'xstate';
import { expect, test } from 'vitest';
import { paymentMachine } from '../../machines/buying/payment.ts';
import { purchaseMachine } from '../../machines/buying/purchase/purchase.ts';
import { shopMachine, shopScreenMachine } from '../../machines/app/shop.ts';
import type { Run } from '../../machines/trace/format.ts';
import { replay } from '../../machines/trace/replay.ts';
import { recordPurchaseTrace } from './purchase.ts';

const recordPurchase = async (): Promise<Run> => {
  const [run] = (await recordPurchaseTrace()).runs;
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
  const payStep = run.steps.findIndex(({ input }) => input.kind === 'event' && input.event.type === 'pay.pressed');
  const changedMachine = shopMachine.provide({
    actors: { screen: shopScreenMachine.provide({ actions: { goSignIn: () => {} } }) },
  });
  const { divergence, steps } = replay(changedMachine, run);
  expect(divergence).toMatchObject({ why: 'a machine reacted differently', input: { event: { type: 'pay.pressed' } } });
  expect(steps[divergence?.step ?? -1]?.at).toBe(run.steps[payStep]?.at);
});

/** Creates the shop with another machine for a flow. */
const createShopWith = (flow: string, machine: AnyStateMachine): AnyStateMachine =>
  shopMachine.provide({ actors: { screen: shopScreenMachine.provide({ actors: { [flow]: machine } } as never) } });

test('a machine that has the same states but sends its parent another event is found at that step', async () => {
  const run = await recordPurchase();
  const changedPayment = paymentMachine.provide({
    actions: { goPay: sendParent({ type: 'leave', url: 'https://else.example/' }) },
  });
  const { divergence } = replay(
    createShopWith('purchase', purchaseMachine.provide({ actors: { payment: changedPayment } })),
    run,
  );
  expect(divergence).toMatchObject({
    why: 'a machine sent a different message',
    expected: { from: expect.stringMatching(/payment$/) as string, event: { type: 'leave', url: 'https://pay.example/1' } },
    got: { event: { type: 'leave', url: 'https://else.example/' } },
  });
});

test('a machine that sends another event to an actor it started is found at that step', async () => {
  const run = await recordPurchase();
  const changedMachine = shopMachine.provide({
    actions: { sendToScreen: sendTo('screen', ({ event }) => ({ ...event, isSentTwice: true })) },
  });
  expect(replay(changedMachine, run).divergence).toMatchObject({
    why: 'a machine sent a different message',
    got: { from: 'root', to: 'root/screen' },
  });
});

test('a machine that calls a port with another input is found at that step', async () => {
  const run = await recordPurchase();
  const { config, implementations } = purchaseMachine as AnyStateMachine;
  const { quoting } = config.states as Record<string, { invoke: object }>;
  const invoke = { ...quoting?.invoke, input: { of: 'title', titleId: '1002', planId: '', countries: [] } };
  const states = { ...config.states, quoting: { ...quoting, invoke } };
  const changedPurchase = createMachine({ ...config, states } as never, implementations as never) as AnyStateMachine;
  const { divergence } = replay(createShopWith('purchase', changedPurchase), run);
  expect(divergence).toMatchObject({
    expected: { to: expect.stringMatching(/offer$/) as string, input: { titleId: '1001' } },
    got: { input: { titleId: '1002' } },
  });
});

test('a record without sent events is compared by states and contexts alone', async () => {
  const { messageScope, steps, ...run } = await recordPurchase();
  expect(messageScope).toBe('all');
  expect(steps.flatMap(({ messages = [] }) => messages).length).toBeGreaterThan(10);
  const olderRun = { ...run, steps: steps.map(({ at, input, reactions }) => ({ at, input, reactions })) };
  expect(replay(shopMachine, olderRun).divergence).toBeNull();
});
