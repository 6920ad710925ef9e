import { createActor, type AnyActor, type AnyActorRef, type AnyStateMachine, type EventObject } from 'xstate';
import { seededRandom } from '../../machines/paths/walk.ts';
import type { Run } from '../../machines/trace/format.ts';
import { unredacted } from '../../machines/trace/plain.ts';
import { createRecorder, type Limits } from '../../machines/trace/recorder.ts';
import { createTable } from '../../machines/trace/table.ts';
import { isActive, tap } from '../../machines/trace/tap.ts';
import { createAllConstructsMachine, externalEvents } from './every-construct.ts';
import { unpackRuns } from './recorded.ts';
import type { Simulation } from './world.ts';

type Timer = { at: number; order: number; run: () => void };

/**
 * A fake clock that advances only on request, with promises settling in between, so that a session
 * takes no real time.
 */
export const createSimulatedTime = () => {
  let now = 0;
  let order = 0;
  let timers: Timer[] = [];
  const set = (callback: () => void, ms: number): Timer => {
    const timer = { at: now + ms, order: order++, run: callback };
    timers.push(timer);
    return timer;
  };
  const clear = (timer: unknown) => {
    timers = timers.filter((each) => each !== timer);
  };
  const settlePromises = async () => {
    for (let round = 0; round < 8; round += 1) await Promise.resolve();
  };
  const pass = async (ms: number) => {
    const endMs = now + ms;
    for (;;) {
      await settlePromises();
      const [next] = timers.filter(({ at }) => at <= endMs).toSorted((a, b) => a.at - b.at || a.order - b.order);
      if (!next) break;
      now = next.at;
      clear(next);
      next.run();
    }
    now = endMs;
  };
  return { now: () => now, set, clear, pass, settlePromises };
};

const isBusy = (actor: AnyActorRef): boolean => {
  const snapshot = actor.getSnapshot() as { value?: unknown; status: string };
  return snapshot.value !== undefined && snapshot.status === 'active';
};

export const noLimits: Limits = { size: Infinity, age: Infinity, runSize: Infinity, runAge: Infinity };

/**
 * Records a session of random events on the machine with every construct; the seed reproduces the
 * session.
 */
export const recordSession = async (seed: number, bounds = noLimits): Promise<{ runs: Run[]; machine: AnyStateMachine }> => {
  const chance = seededRandom(seed);
  const time = createSimulatedTime();
  const simulation: Simulation = {
    chance,
    after: (ms, run) => {
      const timer = time.set(run, ms);
      return () => time.clear(timer);
    },
  };
  const machine = createAllConstructsMachine(simulation) as unknown as AnyStateMachine;
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
  for (let eventIndex = 0; eventIndex < 40 && isActive(root); eventIndex += 1) {
    if (chance() < 0.66) await time.pass(Math.floor(chance() * 9));
    const { children } = root.getSnapshot() as { children: Record<string, AnyActorRef | undefined> };
    const workers = Object.values(children).filter((child): child is AnyActorRef => child !== undefined && isBusy(child));
    const pickRandom = <T>(list: readonly T[]): T | undefined => list[Math.floor(chance() * list.length)];
    const worker = chance() < 0.25 ? pickRandom(workers) : undefined;
    const event: EventObject = { type: (worker ? pickRandom(['RUN', 'QUIT']) : pickRandom(externalEvents)) ?? 'GO' };
    (worker ?? root).send(event);
    recorder.trim(time.now());
  }
  await time.settlePromises();
  const runs = unpackRuns(recorder.runs(), table);
  root.stop();
  return { runs, machine };
};
