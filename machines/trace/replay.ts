import {
  createActor,
  type AnyActor,
  type AnyEventObject,
  type AnyStateMachine,
  type InspectionEvent,
  type Snapshot,
} from 'xstate';
import { getTransitionName as transitionName } from '../paths/transitions.ts';
import { getScheduled, getScheduler, setTimers } from './checkpoint.ts';
import { isLikeReaction, isLikeMessage, toComparableReaction, toComparableMessage, type GotReaction } from './compare.ts';
import { fold, turnKey } from './fold.ts';
import type { Reaction, Input, Plain, RecordedEvent, Run, Step, CrossMessage } from './format.ts';
import { isActive } from './kinds.ts';
import { getFiredTransitions, observe } from './observe.ts';
import { keepCommonParts, findUnlikeShown } from './older/comparison.ts';
import { unredacted, toPlain, revivePlain } from './plain.ts';
import { doneType, failedType, stub } from './stub.ts';
import { tap, type Timers } from './tap.ts';

/** The first step in which a replay differs from the recording, and the first difference in it. */
export type Divergence = {
  step: number;
  input: Input;
  why: string;
  expected?: Reaction | CrossMessage;
  got?: Reaction | CrossMessage;
};

/** The state of all actors after a step. */
export type Moment = {
  /**
   * The snapshots of the actors involved, by name: running ones, and those that ended in this step.
   */
  actors: Record<string, Snapshot<unknown>>;
  /** The names of the transitions that fired in this step, in order. */
  fired: string[];
};

export type Replay = {
  root: AnyActor;
  /**
   * The recorded steps; answers that effects gave while handling an event are folded into the step
   * that caused them.
   */
  steps: Step[];
  moments: Moment[];
  divergence: Divergence | null;
};

const toSettledEvent = (event: RecordedEvent): AnyEventObject =>
  'error' in event
    ? { type: failedType, error: revivePlain(event['error'] ?? null) }
    : { type: doneType, output: 'output' in event ? revivePlain(event['output'] ?? null) : undefined };

const firstDifference = <Part, Got>(
  expected: readonly Part[],
  got: readonly Got[],
  isAlike: (expected: Part, got: Got) => boolean,
  shown: (expected: Part | undefined, got: Got) => Part,
): { expected?: Part; got?: Part } | null => {
  for (let at = 0; at < Math.max(expected.length, got.length); at += 1) {
    const [want, have] = [expected[at], got[at]];
    if (want && have && isAlike(want, have)) continue;
    return { ...(want && { expected: want }), ...(have && { got: shown(want, have) }) };
  }
  return null;
};

const pickPlain = (keys: readonly string[], context: Readonly<Record<string, unknown>>): Record<string, Plain> =>
  Object.fromEntries(keys.map((key) => [key, toPlain(context[key])]));

/**
 * Removes a firing timer from the scheduled ones; if it is not scheduled, returns a message that
 * lists them.
 */
const fireTimer = (target: AnyActor, event: RecordedEvent, ms: number): string | null => {
  const set = getScheduled(target).filter((timer) => timer.target === target);
  const due = set.find((timer) => timer.event.type === event.type && timer.delay === ms);
  if (due) {
    getScheduler(target).cancel(due.source, due.id);
    return null;
  }
  const others = set.map((timer) => `${timer.event.type} after ${timer.delay} ms`);
  return `no timer ${event.type} after ${ms} ms is set; set: ${others.join(', ') || 'none'}`;
};

/** Timers for replays, in which no time passes. */
const noTimers: Timers = { now: () => 0, set: () => 0, clear: () => {} };

/**
 * Replays a recorded run: every effect is inert, timers fire when the trace says so, and after each
 * step the machines' reactions and messages are compared with the recorded ones. Stops at the first
 * divergence or after step `upTo`.
 */
export const replay = (machine: AnyStateMachine, run: Run, { upTo = Infinity } = {}): Replay => {
  const { steps, answers } = fold(run.steps);
  let reactions: GotReaction[] = [];
  let told: CrossMessage[] = [];
  let fired: string[] = [];
  /** The running actors, and those that ended in this step. */
  const running = new Map<string, AnyActor>();
  const { take, begin, actors, nameOf } = observe({
    redact: unredacted,
    onInput: () => {},
    onReaction: (reaction, before) => {
      const got = JSON.parse(JSON.stringify(reaction)) as Reaction;
      reactions.push({ reaction: got, before: pickPlain(Object.keys(got.changed), before) });
    },
    onMessage: (each) => told.push(JSON.parse(JSON.stringify(each)) as CrossMessage),
    onActor: (name, actor) => running.set(name, actor),
    withoutChildren: run.tells !== 'all',
    isWhole: true,
  });
  const tapped = tap(noTimers, take);
  const stubbed = stub(machine, (actor, turn) => answers.get(turnKey(nameOf(actor), turn)) ?? []);
  const root = createActor(stubbed, {
    ...tapped,
    inspect: (event: InspectionEvent) => {
      fired.push(...getFiredTransitions(event).map(transitionName));
      tapped.inspect(event);
    },
    ...(run.from ? { snapshot: revivePlain(run.from.snapshot) as Snapshot<unknown> } : {}),
    input: revivePlain(run.input) as undefined,
  }) as AnyActor;
  root.subscribe({ error: () => {} });

  const start = (): void => {
    root.start();
    if (!run.from) return;
    // The start reactions of restored actors are part of the previous run.
    begin(root);
    setTimers(run.from, actors);
    reactions = [];
    told = [];
  };

  /** The first difference between the machines' reactions and messages and the recorded ones. */
  const differenceFrom = (recorded: Required<Step>): Omit<Divergence, 'step' | 'input'> | null => {
    const { expected, got } = keepCommonParts(run, { expected: recorded, got: { reactions, told } });
    const reaction =
      firstDifference(expected.reactions, got.reactions, isLikeReaction, toComparableReaction) ??
      findUnlikeShown(recorded.shows, actors);
    if (reaction) return { why: 'a machine reacted differently', ...reaction };
    const other = run.tells ? firstDifference(expected.told, got.told, isLikeMessage, toComparableMessage) : null;
    return other && { why: 'a machine sent a different message', ...other };
  };

  /** Sends one recorded input to the machines; returns the reason if that is not possible. */
  const give = ({ input, reactions: expected }: Step): string | null => {
    if (input.kind === 'start') {
      start();
      return null;
    }
    const name = input.kind === 'settled' ? input.from : input.to;
    const actor = actors.get(name);
    const missing = [name, input.to].find((each) => !actors.has(each));
    if (!actor || missing !== undefined) return `${missing ?? name} was never created`;
    if (!isActive(actor)) return expected.length > 0 ? `${name} is not running` : null;
    if (input.kind === 'timer') {
      const unset = fireTimer(actor, input.event, input.ms);
      if (unset !== null) return unset;
    }
    actor.send(input.kind === 'settled' ? toSettledEvent(input.event) : (revivePlain(input.event) as AnyEventObject));
    return null;
  };

  const momentNow = (): Moment => {
    const actorsNow = Object.fromEntries([...running].map(([name, actor]) => [name, actor.getSnapshot() as Snapshot<unknown>]));
    for (const [name, actor] of running) if (!isActive(actor)) running.delete(name);
    return { actors: actorsNow, fired };
  };

  const moments: Moment[] = [];
  let divergence: Divergence | null = null;
  for (const [step, recorded] of steps.entries()) {
    if (step > upTo) break;
    reactions = [];
    told = [];
    fired = [];
    const why = give(recorded);
    const difference = why === null ? differenceFrom(recorded) : { why };
    moments.push(momentNow());
    if (!difference) continue;
    divergence = { step, input: recorded.input, ...difference };
    break;
  }
  return { root, steps, moments, divergence };
};
