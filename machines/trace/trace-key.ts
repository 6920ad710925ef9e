/** Under which the list of a tab's runs is stored. */
export const traceKey = 'colophon.trace';
/** The list's, and those of its parts. */
export type TraceKey = typeof traceKey | `${typeof traceKey}.${string}`;
