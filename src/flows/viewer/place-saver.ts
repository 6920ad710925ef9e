import type { KnownPlace, Position, ProgressKey, SaveOutcome } from '../../../machines/model/reading/reading.ts';

export type PlaceUpdate = ProgressKey & { position: Position | null; known: KnownPlace };
type Save = (update: PlaceUpdate & { position: Position }) => Promise<SaveOutcome>;

/**
 * Creates the function that saves the places of open titles. On a server without versions, a place
 * of this page is distinguished from another device's only by its value. So each save is compared
 * with the previous one, even if the machine that requested the previous one has continued before
 * the response.
 */
export const createPlaceSaver = (save: Save): ((update: PlaceUpdate) => Promise<SaveOutcome>) => {
  /** The server's place after later saves, by the place that the machine knows. */
  const savedSince = new WeakMap<KnownPlace, KnownPlace>();
  return async ({ position, ...request }) => {
    const { known } = request;
    if (position === null) return { known, earlier: [], newer: null };
    const outcome = await save({ ...request, position, known: savedSince.get(known) ?? known });
    if ('position' in known && outcome.newer === null) savedSince.set(known, outcome.known);
    return outcome;
  };
};
