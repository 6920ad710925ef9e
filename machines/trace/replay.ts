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
import { isLikeReaction, isLikeMessage, toComparableReaction, toComparableMessage, type ReplayedReaction } from './compare.ts';
import { foldAnswers, toTurnKey } from './fold.ts';
import type { Reaction, Input, Plain, RecordedEvent, Run, Step, CrossMessage } from './format.ts';
import { getFiredTransitions, observe } from './observe.ts';
import { keepCommonParts, findStateDifference } from './older/comparison.ts';
import { unredacted, toPlain, revivePlain } from './plain.ts';
import { doneType, failedType, stub } from './stub.ts';
import { isActive, tap, type Timers } from './tap.ts';

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
   * The snapshots of the running actors and of those that ended in the step, by name.
   */
  actors: Record<string, Snapshot<unknown>>;
  /** The names of the transitions that fired in the step, in order. */
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

const findFirstDifference = <Part, Got>(
  expected: readonly Part[],
  got: readonly Got[],
  isAlike: (expected: Part, got: Got) => boolean,
  toComparable: (expected: Part | undefined, got: Got) => Part,
): { expected?: Part; got?: Part } | null => {
  for (let index = 0; index < Math.max(expected.length, got.length); index += 1) {
    const [expectedPart, gotPart] = [expected[index], got[index]];
    if (expectedPart && gotPart && isAlike(expectedPart, gotPart)) continue;
    return { ...(expectedPart && { expected: expectedPart }), ...(gotPart && { got: toComparable(expectedPart, gotPart) }) };
  }
  return null;
};

const pickPlain = (keys: readonly string[], context: Readonly<Record<string, unknown>>): Record<string, Plain> =>
  Object.fromEntries(keys.map((key) => [key, toPlain(context[key])]));

/**
 * Removes a firing timer from the scheduled timers and returns null. If it is not scheduled,
 * returns a message that lists the scheduled timers.
 */
const fireTimer = (target: AnyActor, event: RecordedEvent, ms: number): string | null => {
  const scheduledTimers = getScheduled(target).filter((timer) => timer.target === target);
  const firingTimer = scheduledTimers.find((timer) => timer.event.type === event.type && timer.delay === ms);
  if (firingTimer) {
    getScheduler(target).cancel(firingTimer.source, firingTimer.id);
    return null;
  }
  const descriptions = scheduledTimers.map((timer) => `${timer.event.type} after ${timer.delay} ms`);
  return `no timer ${event.type} after ${ms} ms is set; set: ${descriptions.join(', ') || 'none'}`;
};

/** Timers that never fire: no time passes in a replay. */
const noTimers: Timers = { now: () => 0, set: () => 0, clear: () => {} };

/**
 * Replays a recorded run: every effect is inert, timers fire as recorded, and after each step the
 * machines' reactions and messages are compared with the recorded ones. Stops at the first
 * divergence or after step `upTo`.
 */
export const replay = (machine: AnyStateMachine, run: Run, { upTo = Infinity } = {}): Replay => {
  const { steps, answers } = foldAnswers(run.steps);
  let reactions: ReplayedReaction[] = [];
  let messages: CrossMessage[] = [];
  let fired: string[] = [];
  /** The running actors and those that ended in the current step, by name. */
  const involvedActors = new Map<string, AnyActor>();
  const { take, restart, actors, getActorName } = observe({
    redact: unredacted,
    onInput: () => {},
    onReaction: (reaction, before) => {
      const got = JSON.parse(JSON.stringify(reaction)) as Reaction;
      reactions.push({ reaction: got, before: pickPlain(Object.keys(got.changed), before) });
    },
    onMessage: (each) => messages.push(JSON.parse(JSON.stringify(each)) as CrossMessage),
    onActor: (name, actor) => involvedActors.set(name, actor),
    omitsChildMessages: run.messageScope !== 'all',
    withFullValues: true,
  });
  const tapOptions = tap(noTimers, take);
  const stubbedMachine = stub(machine, (actor, turn) => answers.get(toTurnKey(getActorName(actor), turn)) ?? []);
  const root = createActor(stubbedMachine, {
    ...tapOptions,
    inspect: (event: InspectionEvent) => {
      fired.push(...getFiredTransitions(event).map(transitionName));
      tapOptions.inspect(event);
    },
    ...(run.from ? { snapshot: revivePlain(run.from.snapshot) as Snapshot<unknown> } : {}),
    input: revivePlain(run.input) as undefined,
  }) as AnyActor;
  root.subscribe({ error: () => {} });

  const start = (): void => {
    root.start();
    if (!run.from) return;
    // The start reactions of restored actors are part of the previous run.
    restart(root);
    setTimers(run.from, actors);
    reactions = [];
    messages = [];
  };

  /** The first difference between the recorded reactions and messages and the machines' own. */
  const findDifference = (recorded: Required<Step>): Omit<Divergence, 'step' | 'input'> | null => {
    const { expected, got } = keepCommonParts(run, { expected: recorded, got: { reactions, messages } });
    const reaction =
      findFirstDifference(expected.reactions, got.reactions, isLikeReaction, toComparableReaction) ??
      findStateDifference(recorded.shownStates, actors);
    if (reaction) return { why: 'a machine reacted differently', ...reaction };
    const messageDifference = run.messageScope
      ? findFirstDifference(expected.messages, got.messages, isLikeMessage, toComparableMessage)
      : null;
    return messageDifference && { why: 'a machine sent a different message', ...messageDifference };
  };

  /**
   * Sends one recorded input to the machines; returns the reason if this is impossible, else null.
   */
  const sendInput = ({ input, reactions: expected }: Step): string | null => {
    if (input.kind === 'start') {
      start();
      return null;
    }
    const name = input.kind === 'settled' ? input.from : input.to;
    const actor = actors.get(name);
    const missingActor = [name, input.to].find((each) => !actors.has(each));
    if (!actor || missingActor !== undefined) return `${missingActor ?? name} was never created`;
    if (!isActive(actor)) return expected.length > 0 ? `${name} is not running` : null;
    if (input.kind === 'timer') {
      const timerFault = fireTimer(actor, input.event, input.ms);
      if (timerFault !== null) return timerFault;
    }
    actor.send(input.kind === 'settled' ? toSettledEvent(input.event) : (revivePlain(input.event) as AnyEventObject));
    return null;
  };

  const createMoment = (): Moment => {
    const snapshots = Object.fromEntries(
      [...involvedActors].map(([name, actor]) => [name, actor.getSnapshot() as Snapshot<unknown>]),
    );
    for (const [name, actor] of involvedActors) if (!isActive(actor)) involvedActors.delete(name);
    return { actors: snapshots, fired };
  };

  const moments: Moment[] = [];
  let divergence: Divergence | null = null;
  for (const [step, recorded] of steps.entries()) {
    if (step > upTo) break;
    reactions = [];
    messages = [];
    fired = [];
    const fault = sendInput(recorded);
    const difference = fault === null ? findDifference(recorded) : { why: fault };
    moments.push(createMoment());
    if (!difference) continue;
    divergence = { step, input: recorded.input, ...difference };
    break;
  }
  return { root, steps, moments, divergence };
};
