import type { Trace } from './format.ts';
import { toCurrentTrace } from './older/translate.ts';
import { unpackIfPacked } from './pack.ts';

/** The trace in the JSON of a trusted file of any format, translated for the current machines. */
export const traceFromJson = (json: Parameters<typeof unpackIfPacked>[0]): Trace => toCurrentTrace(unpackIfPacked(json));
