import { createActor, type AnyActor, type AnyActorRef, type AnyStateMachine, type EventObject } from 'xstate';
import { seededRandom } from '../../machines/paths/walk.ts';
import type { Run } from '../../machines/trace/format.ts';
import { unredacted } from '../../machines/trace/plain.ts';
import { isActive } from '../../machines/trace/kinds.ts';
import { createRecorder, type Limits } from '../../machines/trace/recorder.ts';
import { createTable } from '../../machines/trace/table.ts';
import { tap } from '../../machines/trace/tap.ts';
import { createAllConstructsMachine, externalEvents } from './every-construct.ts';
import { unpackRuns } from './recorded.ts';
import type { Simulation } from './world.ts';

type Timer = { at: number; order: number; run: () => void };

/**
 * Time that advances only on request, with promises settling in between, so that a session takes no
 * real time.
 */
export const simulatedTime = () => {
  let now = 0;
  let order = 0;
  let timers: Timer[] = [];
  const set = (run: () => void, ms: number): Timer => {
    const timer = { at: now + ms, order: order++, run };
    timers.push(timer);
    return timer;
  };
  const clear = (timer: unknown) => {
    timers = timers.filter((each) => each !== timer);
  };
  const settlePromises = async () => {
    for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
  };
  const pass = async (ms: number) => {
    const end = now + ms;
    for (;;) {
      await settlePromises();
      const [next] = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at || a.order - b.order);
      if (!next) break;
      now = next.at;
      clear(next);
      next.run();
    }
    now = end;
  };
  return { now: () => now, set, clear, pass, settlePromises };
};

const isBusy = (actor: AnyActorRef): boolean => {
  const snapshot = actor.getSnapshot() as { value?: unknown; status: string };
  return snapshot.value !== undefined && snapshot.status === 'active';
};

export const noLimits: Limits = { size: Infinity, age: Infinity, runSize: Infinity, runAge: Infinity };

/**
 * A recorded session of random events on the machine with every construct; the seed reproduces it.
 */
export const session = async (seed: number, bounds = noLimits): Promise<{ runs: Run[]; machine: AnyStateMachine }> => {
  const chance = seededRandom(seed);
  const time = simulatedTime();
  const world: Simulation = {
    chance,
    after: (ms, run) => {
      const timer = time.set(run, ms);
      return () => time.clear(timer);
    },
  };
  const machine = createAllConstructsMachine(world) as unknown as AnyStateMachine;
  const table = createTable();
  const recorder = createRecorder({
    input: undefined,
    startedAt: time.now(),
    redact: unredacted,
    table,
    bounds,
    root: () => root,
  });
  const options = tap({ now: time.now, set: time.set, clear: time.clear }, recorder.take);
  const root: AnyActor = createActor(machine, options as object);
  root.subscribe({ error: () => {} });
  root.start();
  for (let event = 0; event < 40 && isActive(root); event += 1) {
    if (chance() < 0.66) await time.pass(Math.floor(chance() * 9));
    const { children } = root.getSnapshot() as { children: Record<string, AnyActorRef | undefined> };
    const workers = Object.values(children).filter((child): child is AnyActorRef => child !== undefined && isBusy(child));
    const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(chance() * list.length)];
    const worker = chance() < 0.25 ? pick(workers) : undefined;
    const news: EventObject = { type: (worker ? pick(['RUN', 'QUIT']) : pick(externalEvents)) ?? 'GO' };
    (worker ?? root).send(news);
    recorder.trim(time.now());
  }
  await time.settlePromises();
  const runs = unpackRuns(recorder.runs(), table);
  root.stop();
  return { runs, machine };
};
