import type { Run } from './format.ts';
import { observe } from './observe.ts';
import { asIs, plainOf, type Redact } from './plain.ts';
import { tap, type TapOptions, type Timers } from './tap.ts';

export type Recording = { run: Run; options: TapOptions };

/** Records one run, without bounds, of a root actor that is created with `options` and `input`. */
export const record = (timers: Timers, input: unknown, redact: Redact = asIs): Recording => {
  const startedAt = timers.now();
  const run: Run = { startedAt, input: plainOf(input, redact), steps: [{ at: 0, input: { kind: 'start' }, frames: [] }] };
  const { take } = observe({
    redact,
    onInput: (news, at) => run.steps.push({ at: at - startedAt, input: news, frames: [] }),
    onFrame: (frame) => run.steps.at(-1)?.frames.push(frame),
  });
  return { run, options: tap(timers, take) };
};
