/** The storage key of the index of a tab's runs. */
export const traceKey = 'colophon.trace';
/** The storage keys of the index, and of the runs and their table. */
export type TraceKey = typeof traceKey | `${typeof traceKey}.${string}`;
