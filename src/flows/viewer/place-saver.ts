import type { KnownPlace, Position, ProgressKey, SaveOutcome } from '../../../machines/model/reading/reading.ts';

export type PlaceUpdate = ProgressKey & { position: Position | null; known: KnownPlace };
type Save = (saving: PlaceUpdate & { position: Position }) => Promise<SaveOutcome>;

/**
 * Saves the places of open titles. On a server without versions, a place of this page is
 * distinguished from another device's by its value only: each save is compared with the one before
 * it, even if the machine that requested that one has moved on before its answer.
 */
export const createPlaceSaver = (save: Save): ((saving: PlaceUpdate) => Promise<SaveOutcome>) => {
  /** The server's place after later saves, by the place that the machine knows. */
  const savedSince = new WeakMap<KnownPlace, KnownPlace>();
  return async ({ position, ...saving }) => {
    const { known } = saving;
    if (position === null) return { known, earlier: [], newer: null };
    const outcome = await save({ ...saving, position, known: savedSince.get(known) ?? known });
    if ('position' in known && outcome.newer === null) savedSince.set(known, outcome.known);
    return outcome;
  };
};
