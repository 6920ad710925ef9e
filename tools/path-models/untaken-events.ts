import type { Graph } from '../../machines/paths/explore.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

/** The events that a machine's description names but that no transition of these graphs takes. */
export const findUntakenEvents = (
  { presses = {}, happens = {} }: PathModel['description'],
  graphs: readonly Graph[],
): string[] => {
  const takenTypes = new Set(
    graphs.flatMap(({ edges }) => edges.filter(({ fired }) => fired.length > 0).map(({ event }) => event.type)),
  );
  return [...Object.keys(presses), ...Object.keys(happens)].filter((type) => !takenTypes.has(type));
};
