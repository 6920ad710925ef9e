import type { Trace } from './format.ts';
import { ofToday } from './older/translate.ts';
import { unpackedIn } from './pack.ts';

/** A record out of the JSON of a file that is known to be one, of whatever format, as today's machines replay it. */
export const traceIn = (json: Parameters<typeof unpackedIn>[0]): Trace => ofToday(unpackedIn(json));
