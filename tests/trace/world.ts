import { assign, fromPromise, raise, sendParent, setup, type EventObject, type Observer, type Subscribable } from 'xstate';

/**
 * All inputs that decide how a session runs: randomness and time, both seeded so that a session is
 * reproducible.
 */
export type Simulation = { chance: () => number; after: (ms: number, run: () => void) => () => void };

export const randomBelow = (world: Simulation, most: number): number => Math.floor(world.chance() * most);

const observable = <T>(subscribe: (observer: Observer<T>) => { unsubscribe: () => void }): Subscribable<T> =>
  ({ subscribe }) as unknown as Subscribable<T>;

export const countingSource = (world: Simulation, count: number, atOnce: boolean) =>
  observable<number>((observer) => {
    let next = 0;
    let stop = (): void => {};
    const tick = (): void => {
      observer.next?.(next);
      next += 1;
      if (next < count) stop = world.after(2, tick);
      else observer.complete?.();
    };
    if (!atOnce) stop = world.after(1, tick);
    else {
      while (next < count) observer.next?.(next++);
      observer.complete?.();
    }
    return { unsubscribe: () => stop() };
  });

export const tickingSource = (world: Simulation) =>
  observable<EventObject>((observer) => {
    let stop = (): void => {};
    const tick = (): void => {
      observer.next?.({ type: 'TICKED', n: world.chance() } as EventObject);
      stop = world.after(5, tick);
    };
    stop = world.after(5, tick);
    return { unsubscribe: () => stop() };
  });

export const createWorker = (world: Simulation) =>
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
              world.after(randomBelow(world, 6), () =>
                randomBelow(world, 3) === 0 ? reject(new Error('job')) : resolve({ value: world.chance() }),
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
