/** The storage key of the list of a tab's runs. */
export const traceKey = 'colophon.trace';
/** The key of the list, and those of its parts. */
export type TraceKey = typeof traceKey | `${typeof traceKey}.${string}`;
