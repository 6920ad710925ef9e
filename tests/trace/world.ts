import { assign, fromPromise, raise, sendParent, setup, type EventObject, type Observer, type Subscribable } from 'xstate';

/**
 * The randomness and the time of a session: all inputs that decide how it runs, simulated so that
 * the session is reproducible.
 */
export type Simulation = { chance: () => number; after: (ms: number, run: () => void) => () => void };

export const randomBelow = (simulation: Simulation, max: number): number => Math.floor(simulation.chance() * max);

const createObservable = <T>(subscribe: (observer: Observer<T>) => { unsubscribe: () => void }): Subscribable<T> =>
  ({ subscribe }) as unknown as Subscribable<T>;

export const createCountingSource = (simulation: Simulation, count: number, isSynchronous: boolean) =>
  createObservable<number>((observer) => {
    let next = 0;
    let stop = (): void => {};
    const tick = (): void => {
      observer.next?.(next);
      next += 1;
      if (next < count) stop = simulation.after(2, tick);
      else observer.complete?.();
    };
    if (!isSynchronous) stop = simulation.after(1, tick);
    else {
      while (next < count) observer.next?.(next++);
      observer.complete?.();
    }
    return { unsubscribe: () => stop() };
  });

export const createTickingSource = (simulation: Simulation) =>
  createObservable<EventObject>((observer) => {
    let stop = (): void => {};
    const tick = (): void => {
      observer.next?.({ type: 'TICKED', n: simulation.chance() } as EventObject);
      stop = simulation.after(5, tick);
    };
    stop = simulation.after(5, tick);
    return { unsubscribe: () => stop() };
  });

export const createWorker = (simulation: Simulation) =>
  setup({
    types: {} as {
      context: { k: number; value: number | null };
      input: { k: number } | undefined;
      output: { k: number };
    },
    actors: {
      job: Object.assign(
        fromPromise<{ value: number }>(
          () =>
            new Promise((resolve, reject) => {
              simulation.after(randomBelow(simulation, 6), () =>
                randomBelow(simulation, 3) === 0 ? reject(new Error('job')) : resolve({ value: simulation.chance() }),
              );
            }),
        ),
        { kind: 'promise' as const },
      ),
    },
    actions: {
      keep: assign({ value: (_, value: number) => value }),
      report: sendParent(({ context }) => ({ type: 'WORKED', value: context.value })),
      runSoon: raise({ type: 'RUN' }),
    },
    guards: { isEven: ({ context }) => context.k % 2 === 0 },
    delays: { soon: 9 },
  }).createMachine({
    id: 'worker',
    context: ({ input }) => ({ k: input?.k ?? 0, value: null }),
    initial: 'idle',
    states: {
      idle: { on: { RUN: 'busy', QUIT: 'gone' }, after: { soon: { actions: 'runSoon' } } },
      busy: {
        invoke: {
          id: 'job',
          src: 'job',
          onDone: { target: 'idle', actions: [{ type: 'keep', params: ({ event }) => event.output.value }, 'report'] },
          onError: [{ guard: 'isEven', target: 'idle' }, { target: 'gone' }],
        },
      },
      gone: { type: 'final' },
    },
    output: ({ context }) => ({ k: context.k }),
  });
