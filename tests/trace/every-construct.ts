import {
  assign,
  cancel,
  emit,
  enqueueActions,
  fromCallback,
  fromEventObservable,
  fromObservable,
  fromPromise,
  fromTransition,
  raise,
  sendTo,
  setup,
  stopChild,
  type AnyActorRef,
  type EventObject,
} from 'xstate';
import { createCountingSource, createTickingSource, randomBelow, createWorker, type Simulation } from './world.ts';

type Context = { log: string[]; n: number; workers: AnyActorRef[]; hasNamed: boolean; seen: unknown };

const appendBounded = (log: string[], entry: string): string[] => [...log.slice(-5), entry];

/**
 * One system that uses every XState construct that the shop may use, at several depths and with
 * every kind of effect.
 */
export const createAllConstructsMachine = (simulation: Simulation) =>
  setup({
    types: {} as {
      context: Context;
      events: { type: string; n?: number; value?: number };
    },
    actors: {
      worker: createWorker(simulation),
      sum: fromTransition((state: { sum: number }, event: { type: 'ADD'; n: number }) => ({ sum: state.sum + event.n }), {
        sum: 0,
      }),
      talker: Object.assign(
        fromCallback<EventObject>(({ sendBack, receive }) => {
          sendBack({ type: 'SAID.HELLO', n: simulation.chance() } as EventObject);
          receive((event) => {
            if (event.type !== 'ASK') return;
            sendBack({ type: 'SAID.A', n: simulation.chance() } as EventObject);
            sendBack({ type: 'SAID.B', n: 2 } as EventObject);
            if (randomBelow(simulation, 2))
              simulation.after(3, () => sendBack({ type: 'SAID.LATE', n: simulation.chance() } as EventObject));
          });
        }),
        { kind: 'callback' as const },
      ),
      counter: Object.assign(
        fromObservable(() => createCountingSource(simulation, 3, false)),
        { kind: 'observable' as const },
      ),
      counterAtOnce: Object.assign(
        fromObservable(() => createCountingSource(simulation, 3, true)),
        { kind: 'observable' as const },
      ),
      ticker: Object.assign(
        fromEventObservable(() => createTickingSource(simulation)),
        { kind: 'observable' as const },
      ),
      broken: Object.assign(
        fromPromise(() => {
          throw new Error('broken at once');
        }),
        { kind: 'promise' as const },
      ),
    },
    actions: {
      log: assign({ log: ({ context, event }) => appendBounded(context.log, `${event.type}${String(event.n)}`) }),
      count: assign({ n: ({ context }) => context.n + 1 }),
      countMany: assign({ n: ({ context }) => context.n + 100 }),
      add: sendTo('sum', ({ event }) => ({ type: 'ADD', n: event.value ?? 0 })),
      hire: assign({
        workers: ({ context, spawn }) =>
          context.workers.length < 4
            ? [...context.workers, spawn('worker', { input: { k: context.workers.length } })]
            : context.workers,
      }),
      hireNamed: enqueueActions(({ enqueue }) => {
        enqueue.spawnChild('worker', { id: 'named', systemId: 'NAMED', input: { k: 7 } });
      }),
      dismissNamed: stopChild('named'),
      noteHired: assign({ hasNamed: true }),
      noteDismissed: assign({ hasNamed: false }),
      runAll: enqueueActions(({ context, enqueue }) => {
        for (const worker of context.workers) enqueue.sendTo(worker, { type: 'RUN' });
        enqueue.assign({ n: 0 });
      }),
      ask: sendTo('talker', { type: 'ASK' }),
      askLater: sendTo('talker', { type: 'ASK' }, { delay: 5 }),
      raiseInner: raise({ type: 'INNER' }),
      raiseLater: raise({ type: 'INNER' }, { delay: 4, id: 'later' }),
      cancelLater: cancel('later'),
      greet: emit({ type: 'GREETED' }),
      keepSeen: assign({
        seen: ({ event }) => (event as unknown as { snapshot: { context?: unknown } }).snapshot.context ?? null,
      }),
      keepFailure: assign({ log: ({ event }) => [(event as unknown as { error: Error }).error.message] }),
      outside: () => simulation.chance(),
    },
    guards: {
      hasNoNamed: ({ context }) => !context.hasNamed,
      isMany: ({ context }) => context.n > 500,
    },
    delays: { turn: 12 },
  }).createMachine({
    id: 'every',
    type: 'parallel',
    context: { log: [], n: 0, workers: [], hasNamed: false, seen: null },
    invoke: [
      { id: 'talker', src: 'talker' },
      { id: 'sum', src: 'sum' },
    ],
    on: {
      'SAID.*': { actions: 'log' },
      WORKED: { actions: ['count', 'add'] },
      TICKED: { actions: 'log' },
      HIRE: { actions: 'hire' },
      'HIRE.NAMED': { guard: 'hasNoNamed', actions: ['hireNamed', 'noteHired'] },
      'DISMISS.NAMED': { actions: ['dismissNamed', 'noteDismissed'] },
      'RUN.ALL': { actions: 'runAll' },
      ASK: { actions: ['ask', 'outside', 'raiseInner'] },
      INNER: { actions: 'countMany' },
      DELAY: { actions: ['cancelLater', 'raiseLater', 'askLater'] },
      CANCEL: { actions: 'cancelLater' },
      GREET: { actions: 'greet' },
    },
    states: {
      left: {
        initial: 'resting',
        states: {
          resting: { on: { GO: 'watching' }, after: { turn: 'watching' } },
          watching: {
            invoke: [
              {
                id: 'counter',
                src: 'counter',
                onSnapshot: { actions: 'keepSeen' },
                onDone: 'counted',
              },
              { id: 'ticker', src: 'ticker' },
            ],
            on: { GO: 'resting' },
          },
          counted: {
            always: { guard: 'isMany', target: 'resting' },
            on: { GO: 'resting' },
            invoke: {
              id: 'counterAtOnce',
              src: 'counterAtOnce',
              onSnapshot: { actions: 'keepSeen' },
              onDone: { actions: 'count' },
            },
          },
        },
      },
      right: {
        initial: 'off',
        on: { HISTORY: '.last' },
        states: {
          off: { on: { FLIP: 'on' } },
          on: { on: { FLIP: 'off', BREAK: 'breaking' }, invoke: { id: 'own', src: 'worker', input: { k: 3 }, onDone: 'off' } },
          breaking: {
            invoke: {
              id: 'broken',
              src: 'broken',
              onError: { target: 'off', actions: 'keepFailure' },
            },
          },
          last: { type: 'history' },
        },
      },
    },
  });

export const externalEvents = [
  'HIRE',
  'HIRE.NAMED',
  'DISMISS.NAMED',
  'RUN.ALL',
  'ASK',
  'DELAY',
  'CANCEL',
  'GREET',
  'GO',
  'FLIP',
  'BREAK',
  'HISTORY',
];
