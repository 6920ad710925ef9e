import type { Trace } from './format.ts';
import { toCurrentTrace } from './older/translate.ts';
import { unpackIfPacked } from './pack.ts';

/** A record of any format from the JSON of a trusted file, translated for the current machines. */
export const traceFromJson = (json: Parameters<typeof unpackIfPacked>[0]): Trace => toCurrentTrace(unpackIfPacked(json));
