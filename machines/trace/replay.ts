import {
  createActor,
  type AnyActor,
  type AnyEventObject,
  type AnyStateMachine,
  type InspectionEvent,
  type Snapshot,
} from 'xstate';
import { nameOf as transitionName } from '../paths/transitions.ts';
import { scheduledIn, schedulerOf, setTimers } from './checkpoint.ts';
import { isLikeReaction, isLikeTold, shownReaction, shownTold, type GotReaction } from './compare.ts';
import { fold, turnKey } from './fold.ts';
import type { Reaction, Input, Plain, RecordedEvent, Run, Step, Told } from './format.ts';
import { isActive } from './kinds.ts';
import { firedIn, observe } from './observe.ts';
import { inBothShops, otherThanShown } from './older/comparison.ts';
import { asIs, plainOf, revived } from './plain.ts';
import { doneType, failedType, stub } from './stub.ts';
import { tap, type Timers } from './tap.ts';

/** The first step in which a replay differs from the recording, and the first thing there that does. */
export type Divergence = { step: number; input: Input; why: string; expected?: Reaction | Told; got?: Reaction | Told };

/** The state of all actors after a step. */
export type Moment = {
  /** The snapshots of the actors that took part, by name: those that run, and those that ended in this step. */
  actors: Record<string, Snapshot<unknown>>;
  /** The names of the transitions that fired in this step, in order. */
  fired: string[];
};

export type Replay = {
  root: AnyActor;
  /** The recorded steps; answers that effects gave while taking an event are folded into the step that caused them. */
  steps: Step[];
  moments: Moment[];
  divergence: Divergence | null;
};

const settlement = (event: RecordedEvent): AnyEventObject =>
  'error' in event
    ? { type: failedType, error: revived(event['error'] ?? null) }
    : { type: doneType, output: 'output' in event ? revived(event['output'] ?? null) : undefined };

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

const plainParts = (keys: readonly string[], context: Readonly<Record<string, unknown>>): Record<string, Plain> =>
  Object.fromEntries(keys.map((key) => [key, plainOf(context[key])]));

/** Removes a timer that fires from those that are set; if it is not among them, returns a message that lists them. */
const takeTimer = (target: AnyActor, event: RecordedEvent, ms: number): string | null => {
  const set = scheduledIn(target).filter((timer) => timer.target === target);
  const due = set.find((timer) => timer.event.type === event.type && timer.delay === ms);
  if (due) {
    schedulerOf(target).cancel(due.source, due.id);
    return null;
  }
  const others = set.map((timer) => `${timer.event.type} after ${timer.delay} ms`);
  return `no timer ${event.type} after ${ms} ms is set; set: ${others.join(', ') || 'none'}`;
};

/** Timers for replays, in which no time passes. */
const stillness: Timers = { now: () => 0, set: () => 0, clear: () => {} };

/**
 * Runs the machine again from a recorded run: every effect is inert, timers fire when the trace says so, and after each
 * step what every machine did and told is compared with what was recorded. Stops at the first divergence or after step `upTo`.
 */
export const replay = (machine: AnyStateMachine, run: Run, { upTo = Infinity } = {}): Replay => {
  const { steps, answers } = fold(run.steps);
  let reactions: GotReaction[] = [];
  let told: Told[] = [];
  let fired: string[] = [];
  /** The actors that run, and those that ended in this step. */
  const running = new Map<string, AnyActor>();
  const { take, begin, actors, nameOf } = observe({
    redact: asIs,
    onInput: () => {},
    onReaction: (reaction, before) => {
      const got = JSON.parse(JSON.stringify(reaction)) as Reaction;
      reactions.push({ reaction: got, before: plainParts(Object.keys(got.changed), before) });
    },
    onTold: (each) => told.push(JSON.parse(JSON.stringify(each)) as Told),
    onActor: (name, actor) => running.set(name, actor),
    withoutChildren: run.tells !== 'all',
    isWhole: true,
  });
  const tapped = tap(stillness, take);
  const stubbed = stub(machine, (actor, turn) => answers.get(turnKey(nameOf(actor), turn)) ?? []);
  const root = createActor(stubbed, {
    ...tapped,
    inspect: (event: InspectionEvent) => {
      fired.push(...firedIn(event).map(transitionName));
      tapped.inspect(event);
    },
    ...(run.from ? { snapshot: revived(run.from.snapshot) as Snapshot<unknown> } : {}),
    input: revived(run.input) as undefined,
  }) as AnyActor;
  root.subscribe({ error: () => {} });

  const start = (): void => {
    root.start();
    if (!run.from) return;
    // The reactions of restored actors to their start are in the run before.
    begin(root);
    setTimers(run.from, actors);
    reactions = [];
    told = [];
  };

  /** How what the machines did and told differs from what was recorded; null when it does not. */
  const differenceFrom = (recorded: Required<Step>): Omit<Divergence, 'step' | 'input'> | null => {
    const { expected, got } = inBothShops(run, { expected: recorded, got: { reactions, told } });
    const reaction =
      firstDifference(expected.reactions, got.reactions, isLikeReaction, shownReaction) ?? otherThanShown(recorded.shows, actors);
    if (reaction) return { why: 'a machine settled otherwise', ...reaction };
    const other = run.tells ? firstDifference(expected.told, got.told, isLikeTold, shownTold) : null;
    return other && { why: 'a machine told something else', ...other };
  };

  /** Gives one recorded input to the machines; returns the reason if that is not possible. */
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
      const unset = takeTimer(actor, input.event, input.ms);
      if (unset !== null) return unset;
    }
    actor.send(input.kind === 'settled' ? settlement(input.event) : (revived(input.event) as AnyEventObject));
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
