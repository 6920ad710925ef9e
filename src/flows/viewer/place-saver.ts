import type { KnownPlace, Position, ProgressKey, SaveOutcome } from '../../../machines/model/reading/reading.ts';

export type Saving = ProgressKey & { position: Position | null; known: KnownPlace };
type Save = (saving: Saving & { position: Position }) => Promise<SaveOutcome>;

/**
 * Saves the places of open titles. A server without versions tells a place of this page from
 * another device's by the place alone: each save is compared with the one before it, also while the
 * machine that asked for that one has moved on and knows nothing of its answer.
 */
export const placeSaver = (save: Save): ((saving: Saving) => Promise<SaveOutcome>) => {
  /** The server's place since then, by the place that the machine knows. */
  const savedSince = new WeakMap<KnownPlace, KnownPlace>();
  return async ({ position, ...saving }) => {
    const { known } = saving;
    if (position === null) return { known, earlier: [], newer: null };
    const outcome = await save({ ...saving, position, known: savedSince.get(known) ?? known });
    if ('position' in known && outcome.newer === null) savedSince.set(known, outcome.known);
    return outcome;
  };
};
