import type { ProgressInput } from '../model/reading/reading.ts';

/** A title that was never opened, with a server that has versions. */
export const emptyProgress: Omit<ProgressInput, 'titleId' | 'contextKey'> = {
  known: { version: 0 },
  unsent: null,
  offered: null,
  earlier: [],
};
