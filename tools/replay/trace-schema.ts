import * as v from 'valibot';
import { olderFormats, type Plain, traceFormat } from '../../machines/trace/format.ts';

/** Any JSON value from JSON.parse; its depth and keys were checked before. */
const jsonValue = v.custom<Plain>((value) => value !== undefined, 'Expected a value');
const jsonObject = v.custom<Record<string, Plain>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'Expected an object',
);
const event = v.custom<{ type: string; [key: string]: Plain }>(
  (value) => typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string',
  'Expected an event with a type',
);

const milliseconds = v.pipe(v.number(), v.finite(), v.minValue(0));
/** Milliseconds since 1970, up to the maximum of Date. */
const timestamp = v.pipe(milliseconds, v.maxValue(8_640_000_000_000_000));
const turn = v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0)));

const input = v.variant('kind', [
  v.object({ kind: v.literal('start') }),
  v.object({ kind: v.literal('event'), to: v.string(), event, reentrant: v.exactOptional(v.literal(true)) }),
  v.object({ kind: v.literal('timer'), to: v.string(), event, ms: milliseconds }),
  v.object({ kind: v.literal('settled'), to: v.string(), from: v.string(), event, turn }),
  v.object({ kind: v.literal('emitted'), to: v.string(), from: v.string(), event, turn }),
  v.object({ kind: v.literal('observed'), to: v.string(), event, from: v.exactOptional(v.string()), turn }),
]);

const reaction = v.object({
  actor: v.string(),
  on: v.string(),
  state: v.exactOptional(jsonValue),
  status: v.exactOptional(v.string()),
  changed: jsonObject,
});

/** Milliseconds since the start of the run, less than a year. */
const since = v.pipe(milliseconds, v.maxValue(31_536_000_000));
const crossMessage = v.union([
  v.object({ from: v.string(), to: v.string(), input: jsonValue }),
  v.object({ from: v.string(), to: v.string(), event: jsonValue }),
]);
const step = v.object({ at: since, input, reactions: v.array(reaction), messages: v.exactOptional(v.array(crossMessage)) });

const timer = v.object({ source: v.string(), target: v.string(), id: v.string(), ms: milliseconds, event });

/** Limits far above real records, against denial of service by forged ones. */
const MAX_RUNS = 1_000;
const MAX_STEPS = 40_000;
const MAX_TIMERS = 1_000;

const run = v.object({
  startedAt: timestamp,
  input: jsonValue,
  messageScope: v.exactOptional(v.picklist(['all', 'withoutChildren'])),
  from: v.exactOptional(v.object({ snapshot: jsonObject, timers: v.pipe(v.array(timer), v.maxLength(MAX_TIMERS)) })),
  steps: v.pipe(v.array(step), v.minLength(1)),
});

/** A trace file of any format, after its table of values was expanded. */
export const traceSchema = v.object({
  format: v.picklist([...olderFormats, traceFormat]),
  build: v.string(),
  machines: v.record(v.string(), v.string()),
  store: v.nullable(v.string()),
  locale: v.string(),
  runs: v.pipe(
    v.array(run),
    v.minLength(1),
    v.maxLength(MAX_RUNS),
    v.check((runs) => runs.reduce((sum, { steps }) => sum + steps.length, 0) <= MAX_STEPS, `More than ${MAX_STEPS} steps`),
  ),
});
