import { traceFormat, type Trace } from '../format.ts';

type JsonObject = { [key: string]: unknown };

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Maps the objects of a list; any other value stays, for the check of the file to refuse. */
const mapObjects = (list: unknown, map: (each: JsonObject) => JsonObject): unknown =>
  Array.isArray(list) ? list.map((each: unknown) => (isJsonObject(each) ? map(each) : each)) : list;

const withCurrentKind = (input: unknown): unknown => {
  if (!isJsonObject(input)) return input;
  if (input['kind'] === 'said') return { ...input, kind: 'emitted' };
  return input['kind'] === 'fed' ? { ...input, kind: 'observed' } : input;
};

const toCurrentMessage = ({ by, ...message }: JsonObject): JsonObject => (by === undefined ? message : { from: by, ...message });

const toCurrentStep = ({ told, input, ...step }: JsonObject): JsonObject => ({
  ...step,
  input: withCurrentKind(input),
  ...(told !== undefined && { messages: mapObjects(told, toCurrentMessage) }),
});

const toCurrentRun = ({ tells, steps, ...run }: JsonObject): JsonObject => ({
  ...run,
  ...(tells !== undefined && { messageScope: tells === true ? 'withoutChildren' : tells }),
  steps: mapObjects(steps, toCurrentStep),
});

/**
 * Renames the fields of an unpacked trace whose format is older than 5. The trace may be invalid.
 */
export const withCurrentFields = (trace: Trace): Trace =>
  trace.format === traceFormat ? trace : ({ ...trace, runs: mapObjects(trace.runs, toCurrentRun) } as Trace);
