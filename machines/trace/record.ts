import type { ActorOptions, AnyActorLogic, InspectionEvent } from 'xstate';
import type { Run } from './format.ts';
import { observe } from './observe.ts';
import { asIs, plainOf, type Redact } from './plain.ts';

type Clock = NonNullable<ActorOptions<AnyActorLogic>['clock']>;

/** The world's time; given from outside, because machines and their traces have none of their own. */
export type Timers = {
  /** Milliseconds since 1970. */
  now: () => number;
  set: (run: () => void, ms: number) => unknown;
  clear: (id: unknown) => void;
};

export type Recording = {
  run: Run;
  /** Options for `createActor` of the root. */
  options: { id: string; clock: Clock; inspect: (event: InspectionEvent) => void };
};

/** Records a run of a root actor that is created with `options` and `input`. */
export const record = (timers: Timers, input: unknown, redact: Redact = asIs): Recording => {
  const startedAt = timers.now();
  const run: Run = { startedAt, input: plainOf(input, redact), steps: [{ at: 0, input: { kind: 'start' }, frames: [] }] };
  let due: number | undefined;
  const { inspect } = observe({
    redact,
    onInput: (news) => run.steps.push({ at: timers.now() - startedAt, input: news, frames: [] }),
    onFrame: (frame) => run.steps.at(-1)?.frames.push(frame),
    firing: () => {
      const ms = due;
      due = undefined;
      return ms;
    },
  });
  const clock: Clock = {
    clearTimeout: (id) => timers.clear(id),
    setTimeout: (fire, ms) =>
      timers.set(() => {
        due = ms;
        try {
          fire();
        } finally {
          due = undefined;
        }
      }, ms),
  };
  return { run, options: { id: 'root', clock, inspect } };
};
