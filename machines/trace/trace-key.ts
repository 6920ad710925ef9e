/** Under which the list of a tab's runs is stored. */
export const traceKey = 'colophon.trace';
