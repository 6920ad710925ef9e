import type { StateValue } from 'xstate';
import { fold } from '../../machines/trace/fold.ts';
import type { Reaction, RecordedEvent, Told, Trace } from '../../machines/trace/format.ts';
import type { Player, Position } from '../../machines/trace/player.ts';
import { actsOf, type Act } from './acts.ts';
import { customerDeed } from './deeds.ts';
import { machineIn, pathOf, sawIn, screenIn } from './screen.ts';
import { deedIn, type Doer } from './story.ts';
import { summaryOf, type Summary } from './summary.ts';
import { stateText } from './text.ts';

/** A machine that was in another state after a step than before; null before it was there and after it is gone. */
export type Change = { actor: string; machine: string; from: string | null; to: string | null };

/** A step as it was replayed. `step` counts from 1 over all runs, `run` from 1; `at` is in milliseconds since the run's start. */
export type ReportStep = {
  step: number;
  run: number;
  at: number;
  actor: string;
  event: RecordedEvent;
  /** The state of the actor that took the event, when it is a machine. */
  machine: string | null;
  from: string | null;
  to: string | null;
  /** All machines whose state changed. */
  changes: Change[];
  by: Doer | null;
  does: string | null;
  saw: string[];
  fired: string[];
};

/** `got` is missing when nothing came, `expected` when nothing was recorded. */
export type ReportDivergence = {
  step: number;
  run: number;
  at: number;
  why: string;
  /** The machine that did or told something else, if there is one, and the name of its actor. */
  machine: string | null;
  machineActor: string | null;
  /** The actor that the step was for, and its event. */
  actor: string;
  event: string;
  expected?: Reaction | Told;
  got?: Reaction | Told;
};

/** The result of a replay; times as in ISO 8601, in UTC. */
export type Report = {
  file: string;
  format: number;
  store: string | null;
  locale: string;
  build: string;
  /** Machines of another source than those that the trace was recorded with, those that ran in it first. */
  differing: string[];
  startedAt: string;
  /** Milliseconds. */
  duration: number;
  /** `path` is the address that a run begins at, without its query; null where the record does not tell. */
  runs: { startedAt: string; begins: 'page load' | 'checkpoint'; path: string | null; steps: number; replayed: number }[];
  /** The visit in half a minute, and its acts. */
  summary: Summary;
  acts: Act[];
  identical: boolean;
  divergence: ReportDivergence | null;
  steps: ReportStep[];
};

const startEvent: RecordedEvent = { type: 'start' };

const stateOf = (position: Position | undefined, name: string): string | null => {
  const snapshot = position && machineIn(position.moment.actors, name);
  return snapshot?.status === 'active' ? stateText(snapshot.value as StateValue) : null;
};

/** Where a machine ends in a step, its last state is what it came to. */
const endOf = (position: Position, name: string): string | null => {
  const snapshot = machineIn(position.moment.actors, name);
  return snapshot && snapshot.status !== 'stopped' ? stateText(snapshot.value as StateValue) : null;
};

const changesIn = (before: Position | undefined, after: Position): Change[] => {
  const names = new Set([...Object.keys(before?.moment.actors ?? {}), ...Object.keys(after.moment.actors)]);
  return [...names].flatMap((actor) => {
    const [from, to] = [stateOf(before, actor), endOf(after, actor)];
    const snapshot = machineIn(after.moment.actors, actor) ?? (before && machineIn(before.moment.actors, actor));
    return from === to || !snapshot ? [] : [{ actor, machine: snapshot.machine.id, from, to }];
  });
};

const stepOf = (player: Player, { runs }: Trace, index: number, position: Position): ReportStep => {
  const { run, recorded, moment } = position;
  const { input } = recorded;
  const earlier = player.positions[index - 1];
  const before = earlier?.run === run ? earlier : undefined;
  const actor = input.kind === 'start' ? 'root' : input.to;
  const deed = deedIn(position, runs[run]?.from !== undefined);
  const seen = (before ?? position).moment.actors;
  return {
    step: index + 1,
    run: run + 1,
    at: recorded.at,
    actor,
    event: input.kind === 'start' ? startEvent : input.event,
    machine: machineIn(moment.actors, actor)?.machine.id ?? null,
    from: stateOf(before, actor),
    to: endOf(position, actor),
    changes: changesIn(before, position),
    by: deed?.by ?? null,
    does: (deed?.by === 'customer' ? customerDeed(input, seen, screenIn(seen)) : null) ?? deed?.does ?? null,
    saw: sawIn(moment.actors),
    fired: moment.fired,
  };
};

const actorIn = (part: Reaction | Told): string => ('actor' in part ? part.actor : part.by);

const divergenceIn = ({ divergences, positions }: Player, steps: readonly ReportStep[]): ReportDivergence | null => {
  const [first] = divergences;
  const index = steps.findLastIndex(({ run }) => first && run === first.run + 1);
  const [at, position] = [steps[index], positions[index]];
  if (!first || !at || !position) return null;
  const { why, expected, got } = first;
  const part = expected ?? got;
  const machineActor = part ? actorIn(part) : null;
  return {
    step: at.step,
    run: at.run,
    at: at.at,
    why,
    machine: (machineActor !== null && machineIn(position.moment.actors, machineActor)?.machine.id) || null,
    machineActor,
    actor: at.actor,
    event: at.event.type,
    ...(expected && { expected }),
    ...(got && { got }),
  };
};

/** The name of a machine's file, as its machine is called: `buying/gift-terms` is `giftTerms`. */
const machineOf = (file: string): string =>
  (file.split('/').at(-1) ?? '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const ranFirst = (files: readonly string[], steps: readonly ReportStep[]): string[] => {
  const ran = new Set(steps.flatMap(({ changes }) => changes.map(({ machine }) => machine)));
  return [true, false].flatMap((hasRun) => files.filter((file) => ran.has(machineOf(file)) === hasRun));
};

const date = (ms: number): string => new Date(ms).toISOString();

/** The report of a replay. */
export const reportOf = (file: string, trace: Trace, player: Player, differing: string[]): Report => {
  const { format, store, locale, build, runs } = trace;
  const steps = player.positions.map((position, index) => stepOf(player, trace, index, position));
  const startedAt = runs[0]?.startedAt ?? 0;
  const endedAt = runs.reduce((end, run) => Math.max(end, run.startedAt + (run.steps.at(-1)?.at ?? 0)), startedAt);
  const duration = endedAt - startedAt;
  const acts = actsOf(player, trace);
  return {
    file,
    format,
    store,
    locale,
    build,
    differing: ranFirst(differing, steps),
    startedAt: date(startedAt),
    duration,
    runs: runs.map((run, index) => ({
      startedAt: date(run.startedAt),
      begins: run.from ? 'checkpoint' : 'page load',
      path: pathOf(player, index)?.split('?')[0] ?? null,
      steps: fold(run.steps).steps.length,
      replayed: steps.filter((step) => step.run === index + 1).length,
    })),
    summary: summaryOf(player, acts, duration),
    acts,
    identical: player.divergences.length === 0,
    divergence: divergenceIn(player, steps),
    steps,
  };
};
