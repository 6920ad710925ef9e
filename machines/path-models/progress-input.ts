import type { ProgressInput } from '../model/reading/reading.ts';

/** A title that was never opened, at a server with versions. */
export const untouched: Omit<ProgressInput, 'titleId' | 'contextKey'> = {
  known: { version: 0 },
  unsent: null,
  offered: null,
  earlier: [],
};
