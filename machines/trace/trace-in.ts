import type { Trace } from './format.ts';
import { toCurrentTrace } from './older/translate.ts';
import { readTraceOfAnyFormat } from './pack.ts';

/** The trace in the JSON of a trusted file of any format, translated for the current machines. */
export const traceFromJson = (json: Parameters<typeof readTraceOfAnyFormat>[0]): Trace =>
  toCurrentTrace(readTraceOfAnyFormat(json));
