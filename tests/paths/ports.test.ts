import { assign, createActor, setup, toPromise, waitFor, type EventObject } from 'xstate';
import { describe, expect, test, vi } from 'vitest';
import { channelPort, requestPort, safePort } from '../../machines/ports.ts';
import type { Problem } from '../../machines/model/problem.ts';

type ChannelFact = { type: 'broken'; problem: Problem } | { type: 'came' };

const throwStorageFull = () => {
  throw new Error('the storage is full');
};

test('a safe port gives its fallback if its effect throws', async () => {
  const machine = setup({
    types: {} as { context: { answer: unknown } },
    actors: { consent: safePort<boolean>(throwStorageFull, () => false) },
    actions: { keep: assign({ answer: (_, answer: boolean) => answer }) },
  }).createMachine({
    context: { answer: null },
    invoke: {
      id: 'consent',
      src: 'consent',
      onDone: { actions: { type: 'keep', params: ({ event }) => event.output } },
    },
  });
  const actor = createActor(machine).start();
  await waitFor(actor, ({ context }) => context.answer === false);
});

test.each([
  ['request', requestPort<null>()],
  ['safe', safePort<null>()],
  ['channel', channelPort<EventObject, ChannelFact>()],
])('a %s port without an implementation fails', async (_, port) => {
  const actor = createActor(port);
  const outcome = toPromise(actor);
  actor.start();
  await expect(outcome).rejects.toThrow('has no implementation: expected one by machine.provide().');
});

test('a request port cannot replace a safe port', () => {
  const machine = setup({ actors: { consent: safePort<boolean>() } }).createMachine({});
  // @ts-expect-error: a port that may reject
  machine.provide({ actors: { consent: requestPort<boolean>(async () => true) } });
  machine.provide({
    actors: {
      consent: safePort<boolean>(
        async () => true,
        () => false,
      ),
    },
  });
});

describe('a channel', () => {
  type Run = Parameters<typeof channelPort<EventObject, ChannelFact>>[0];

  const startChannelMachine = (run: Run, toBrokenFact?: (problem: Problem) => ChannelFact) => {
    const machine = setup({
      types: {} as { context: { facts: ChannelFact[] }; events: ChannelFact | { type: 'send' } | { type: 'stop' } },
      actors: { channel: channelPort<EventObject, ChannelFact>(run, toBrokenFact) },
      actions: {
        keep: assign({ facts: ({ context }, fact: ChannelFact) => [...context.facts, fact] }),
        send: ({ self }) => self.getSnapshot().children['channel']?.send({ type: 'command' }),
      },
    }).createMachine({
      context: { facts: [] },
      initial: 'open',
      on: {
        came: { actions: { type: 'keep', params: ({ event }) => event } },
        broken: { actions: { type: 'keep', params: ({ event }) => event } },
      },
      states: {
        open: { invoke: { id: 'channel', src: 'channel' }, on: { send: { actions: 'send' }, stop: 'shut' } },
        shut: {},
      },
    });
    return createActor(machine).start();
  };

  const problem: Problem = { kind: 'malformed', call: 'port', field: '', message: 'Error: the storage is full' };
  const toBrokenFact = (cause: Problem): ChannelFact => ({ type: 'broken', problem: cause });

  test('a channel that cannot be opened sends its problem', () => {
    expect(startChannelMachine(throwStorageFull, toBrokenFact).getSnapshot()).toMatchObject({
      status: 'active',
      context: { facts: [{ type: 'broken', problem }] },
    });
  });

  test('a channel whose listener throws sends its problem, and stays open', () => {
    const actor = startChannelMachine(({ sendBack, receive }) => {
      receive(() => {
        sendBack({ type: 'came' });
        throwStorageFull();
      });
    }, toBrokenFact);
    actor.send({ type: 'send' });
    actor.send({ type: 'send' });
    const expectedFacts = [{ type: 'came' }, { type: 'broken', problem }];
    expect(actor.getSnapshot()).toMatchObject({ status: 'active', context: { facts: [...expectedFacts, ...expectedFacts] } });
  });

  test('an error in a channel without a fact for it is reported to the browser', () => {
    const reportError = vi.fn<(error: unknown) => void>();
    vi.stubGlobal('reportError', reportError);
    const actor = startChannelMachine(() => throwStorageFull);
    actor.send({ type: 'stop' });
    expect(actor.getSnapshot().status).toBe('active');
    expect(reportError.mock.calls).toEqual([[new Error('the storage is full')]]);
    vi.unstubAllGlobals();
  });
});
