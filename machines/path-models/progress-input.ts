import type { ProgressInput } from '../model/reading/reading.ts';

/** The progress of a title that was never opened, from a server that has versions. */
export const emptyProgress: Omit<ProgressInput, 'titleId' | 'contextKey'> = {
  known: { version: 0 },
  unsent: null,
  offered: null,
  earlier: [],
};
