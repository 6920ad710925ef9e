import { createActor, type AnyActor, type AnyEventObject, type AnyStateMachine, type Snapshot } from 'xstate';
import type { Frame, Input, RecordedEvent, Run, Step } from './format.ts';
import { isActive } from './kinds.ts';
import { observe } from './observe.ts';
import { asIs, isSame, revived } from './plain.ts';
import { doneType, failedType, stub } from './stub.ts';

/** The first place where a replay came out otherwise than the recording. */
export type Divergence = { step: number; input: Input; why: string; expected?: Frame; got?: Frame };

/** Snapshots of all actors after a step, by name. */
export type Moment = Record<string, Snapshot<unknown>>;

export type Replay = {
  root: AnyActor;
  /** The recorded steps, with what effects answered inside their own turn folded into the step that caused it. */
  steps: Step[];
  moments: Moment[];
  divergence: Divergence | null;
};

const turnKey = (actor: string, turn: number): string => `${actor}#${turn}`;

/** Takes answers that were given inside an effect's own turn out of the sequence: the stubs say them again. */
const fold = (recorded: Step[]) => {
  const steps: Step[] = [];
  const answers = new Map<string, Input[]>();
  for (const step of recorded) {
    const { input } = step;
    const last = steps.at(-1);
    if (!('turn' in input) || input.turn === undefined || !last) {
      steps.push({ ...step, frames: [...step.frames] });
      continue;
    }
    const key = turnKey(input.from ?? input.to, input.turn);
    answers.set(key, [...(answers.get(key) ?? []), input]);
    last.frames.push(...step.frames);
  }
  return { steps, answers };
};

type Scheduled = { target: unknown; event: { type: string }; delay: number };

const timersOf = (actor: AnyActor): string[] =>
  Object.values(actor.system.getSnapshot()._scheduledEvents as Record<string, Scheduled>)
    .filter(({ target }) => target === actor)
    .map(({ event, delay }) => `${event.type} after ${delay} ms`);

const settlement = (event: RecordedEvent): AnyEventObject =>
  'error' in event
    ? { type: failedType, error: revived(event['error'] ?? null) }
    : { type: doneType, output: 'output' in event ? revived(event['output'] ?? null) : undefined };

const firstDifference = (expected: Frame[], got: Frame[]): { expected?: Frame; got?: Frame } | null => {
  for (let at = 0; at < Math.max(expected.length, got.length); at += 1) {
    const [want, have] = [expected[at], got[at]];
    if (!isSame(want, have)) return { ...(want && { expected: want }), ...(have && { got: have }) };
  }
  return null;
};

/**
 * Runs the machine again from a recorded run: every effect is inert, timers fire when the trace says so, and after each
 * step every machine is compared with what was recorded. Stops at the first divergence or after step `upTo`.
 */
export const replay = (machine: AnyStateMachine, run: Run, { upTo = Infinity } = {}): Replay => {
  const { steps, answers } = fold(run.steps);
  let frames: Frame[] = [];
  const watched = observe({
    redact: asIs,
    onInput: () => {},
    onFrame: (frame) => frames.push(JSON.parse(JSON.stringify(frame)) as Frame),
    firing: () => undefined,
  });
  const stubbed = stub(machine, (actor, turn) => answers.get(turnKey(watched.nameOf(actor), turn)) ?? []);
  const root = createActor(stubbed, {
    id: 'root',
    inspect: watched.inspect,
    clock: { setTimeout: () => 0, clearTimeout: () => {} },
    input: revived(run.input) as undefined,
  }) as AnyActor;
  root.subscribe({ error: () => {} });

  /** Gives one recorded input to the machines; says why it cannot be given. */
  const give = ({ input, frames: expected }: Step): string | null => {
    if (input.kind === 'start') {
      root.start();
      return null;
    }
    const name = input.kind === 'settled' ? input.from : input.to;
    const actor = watched.actors.get(name);
    if (!actor) return `${name} was never created`;
    if (!isActive(actor)) return expected.length > 0 ? `${name} is not running` : null;
    if (input.kind === 'timer') {
      const wanted = `${input.event.type} after ${input.ms} ms`;
      if (!timersOf(actor).includes(wanted)) return `no timer ${wanted} is set; set: ${timersOf(actor).join(', ') || 'none'}`;
    }
    actor.send(input.kind === 'settled' ? settlement(input.event) : (revived(input.event) as AnyEventObject));
    return null;
  };

  const moments: Moment[] = [];
  let divergence: Divergence | null = null;
  for (const [step, recorded] of steps.entries()) {
    if (step > upTo) break;
    frames = [];
    const why = give(recorded);
    const difference = why === null ? firstDifference(recorded.frames, frames) : {};
    moments.push(
      Object.fromEntries([...watched.actors].map(([name, actor]) => [name, actor.getSnapshot() as Snapshot<unknown>])),
    );
    if (!difference) continue;
    divergence = { step, input: recorded.input, why: why ?? 'a machine settled otherwise', ...difference };
    break;
  }
  return { root, steps, moments, divergence };
};
