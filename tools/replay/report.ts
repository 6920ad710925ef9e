import type { StateValue } from 'xstate';
import { foldAnswers } from '../../machines/trace/fold.ts';
import type { Reaction, RecordedEvent, CrossMessage, Trace } from '../../machines/trace/format.ts';
import type { Player, Position } from '../../machines/trace/player.ts';
import { narrate, type NarrativeLine } from './narrative.ts';
import { describeUserAction } from './user-actions.ts';
import { getMachineSnapshot, findPath, getShownTexts, getScreen } from './screen.ts';
import { describeEvent, type StepCause } from './event-description.ts';
import { createSummary, type Summary } from './summary.ts';
import { formatState } from './text.ts';

/** A machine whose state a step changed; null before it was created and after it was stopped. */
export type Change = { actor: string; machine: string; from: string | null; to: string | null };

/**
 * A replayed step. `step` counts from 1 over all runs, `run` from 1; `at` is in ms since the run's
 * start.
 */
export type ReportStep = {
  step: number;
  run: number;
  at: number;
  actor: string;
  event: RecordedEvent;
  /** The state of the actor that received the event, if it is a machine. */
  machine: string | null;
  from: string | null;
  to: string | null;
  /** All machines whose state changed. */
  changes: Change[];
  by: StepCause | null;
  does: string | null;
  saw: string[];
  fired: string[];
};

/**
 * The first difference between replay and record; `got` is missing if there was no reaction,
 * `expected` if none was recorded.
 */
export type ReportDivergence = {
  step: number;
  run: number;
  at: number;
  why: string;
  /** The machine whose state or events differ, if any, and the name of its actor. */
  machine: string | null;
  machineActor: string | null;
  /** The actor that the step was sent to, and its event. */
  actor: string;
  event: string;
  expected?: Reaction | CrossMessage;
  got?: Reaction | CrossMessage;
};

/** The result of a replay; times in ISO 8601, UTC. */
export type Report = {
  file: string;
  format: number;
  store: string | null;
  locale: string;
  build: string;
  /**
   * Machines whose source differs from that of the recording, those that changed their state in the
   * record first.
   */
  differing: string[];
  startedAt: string;
  /** Milliseconds. */
  duration: number;
  /**
   * `path` is the address at the start of the run, without its query; null if the record does not
   * contain it.
   */
  runs: { startedAt: string; begins: 'page load' | 'checkpoint'; path: string | null; steps: number; replayed: number }[];
  /** The summary of the visit, and its acts. */
  summary: Summary;
  acts: NarrativeLine[];
  identical: boolean;
  divergence: ReportDivergence | null;
  steps: ReportStep[];
};

const startEvent: RecordedEvent = { type: 'start' };

const getState = (position: Position | undefined, name: string): string | null => {
  const snapshot = position && getMachineSnapshot(position.moment.actors, name);
  return snapshot?.status === 'active' ? formatState(snapshot.value as StateValue) : null;
};

/** The state of a machine after a step, including its final one. */
const getEndStatus = (position: Position, name: string): string | null => {
  const snapshot = getMachineSnapshot(position.moment.actors, name);
  return snapshot && snapshot.status !== 'stopped' ? formatState(snapshot.value as StateValue) : null;
};

const findChanges = (previousPosition: Position | undefined, position: Position): Change[] => {
  const names = new Set([...Object.keys(previousPosition?.moment.actors ?? {}), ...Object.keys(position.moment.actors)]);
  return [...names].flatMap((actor) => {
    const [from, to] = [getState(previousPosition, actor), getEndStatus(position, actor)];
    const snapshot =
      getMachineSnapshot(position.moment.actors, actor) ??
      (previousPosition && getMachineSnapshot(previousPosition.moment.actors, actor));
    return from === to || !snapshot ? [] : [{ actor, machine: snapshot.machine.id, from, to }];
  });
};

const toReportStep = (player: Player, { runs }: Trace, index: number, position: Position): ReportStep => {
  const { run, recorded, moment } = position;
  const { input } = recorded;
  const previousPosition = player.positions[index - 1];
  const previousInRun = previousPosition?.run === run ? previousPosition : undefined;
  const actor = input.kind === 'start' ? 'root' : input.to;
  const description = describeEvent(position, runs[run]?.from !== undefined);
  const actorsBefore = (previousInRun ?? position).moment.actors;
  return {
    step: index + 1,
    run: run + 1,
    at: recorded.at,
    actor,
    event: input.kind === 'start' ? startEvent : input.event,
    machine: getMachineSnapshot(moment.actors, actor)?.machine.id ?? null,
    from: getState(previousInRun, actor),
    to: getEndStatus(position, actor),
    changes: findChanges(previousInRun, position),
    by: description?.by ?? null,
    does:
      (description?.by === 'customer' ? describeUserAction(input, actorsBefore, getScreen(actorsBefore)) : null) ??
      description?.does ??
      null,
    saw: getShownTexts(moment.actors),
    fired: moment.fired,
  };
};

const getActor = (part: Reaction | CrossMessage): string => ('actor' in part ? part.actor : part.from);

const findDivergence = ({ divergences, positions }: Player, steps: readonly ReportStep[]): ReportDivergence | null => {
  const [divergence] = divergences;
  const index = steps.findLastIndex(({ run }) => divergence && run === divergence.run + 1);
  const [step, position] = [steps[index], positions[index]];
  if (!divergence || !step || !position) return null;
  const { why, expected, got } = divergence;
  const reaction = expected ?? got;
  const machineActor = reaction ? getActor(reaction) : null;
  return {
    step: step.step,
    run: step.run,
    at: step.at,
    why,
    machine: (machineActor !== null && getMachineSnapshot(position.moment.actors, machineActor)?.machine.id) || null,
    machineActor,
    actor: step.actor,
    event: step.event.type,
    ...(expected && { expected }),
    ...(got && { got }),
  };
};

/** The name of the machine in a file: `buying/gift-terms` is `giftTerms`. */
const toMachineName = (file: string): string =>
  (file.split('/').at(-1) ?? '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const sortByUse = (files: readonly string[], steps: readonly ReportStep[]): string[] => {
  const activeMachines = new Set(steps.flatMap(({ changes }) => changes.map(({ machine }) => machine)));
  return [true, false].flatMap((hasRun) => files.filter((file) => activeMachines.has(toMachineName(file)) === hasRun));
};

const toIsoDate = (ms: number): string => new Date(ms).toISOString();

/** The report of a replay. */
export const createReport = (file: string, trace: Trace, player: Player, differing: string[]): Report => {
  const { format, store, locale, build, runs } = trace;
  const steps = player.positions.map((position, index) => toReportStep(player, trace, index, position));
  const startedAt = runs[0]?.startedAt ?? 0;
  const endedAt = runs.reduce((end, run) => Math.max(end, run.startedAt + (run.steps.at(-1)?.at ?? 0)), startedAt);
  const duration = endedAt - startedAt;
  const acts = narrate(player, trace);
  return {
    file,
    format,
    store,
    locale,
    build,
    differing: sortByUse(differing, steps),
    startedAt: toIsoDate(startedAt),
    duration,
    runs: runs.map((run, index) => ({
      startedAt: toIsoDate(run.startedAt),
      begins: run.from ? 'checkpoint' : 'page load',
      path: findPath(player, index)?.split('?')[0] ?? null,
      steps: foldAnswers(run.steps).steps.length,
      replayed: steps.filter((step) => step.run === index + 1).length,
    })),
    summary: createSummary(player, acts, duration),
    acts,
    identical: player.divergences.length === 0,
    divergence: findDivergence(player, steps),
    steps,
  };
};
