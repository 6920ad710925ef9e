import type { Trace } from './format.ts';
import { ofToday } from './older/translate.ts';
import { unpackedIn } from './pack.ts';

/** A record of any format out of the JSON of a trusted file, translated for today's machines. */
export const traceIn = (json: Parameters<typeof unpackedIn>[0]): Trace => ofToday(unpackedIn(json));
