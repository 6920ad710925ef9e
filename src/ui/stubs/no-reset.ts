/**
 * Replaces Chakra's reset, since index.html has one. Saves 1.2 KB on each first visit.
 */
export const createPreflight = (): Record<string, never> => ({});
