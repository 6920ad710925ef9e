import type { Parts } from '../shell/app/fetch-flow.ts';

/** Those of the flows whose first screen may come painted, as their definitions say (`painted`); a build wants them named. */
export const paintedParts: Parts = import.meta.glob([
  '/src/flows/{landing,catalogue,title,information,page,campaign,subscription,not-found}/index.{ts,tsx}',
]) as Parts;
