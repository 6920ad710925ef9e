import type { Graph } from './explore.ts';

const getValueType = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

/**
 * Messages about keys of a machine's context that are missing at the start, or whose values have
 * several types on its paths, such as a text and an object; null has no type.
 */
export const findUnevenParts = (graphs: readonly Graph[]): string[] => {
  const typesByPart = new Map<string, Set<string>>();
  const lateParts = new Set<string>();
  for (const { start, nodes } of graphs) {
    for (const { snapshot } of nodes) {
      for (const [part, value] of Object.entries(snapshot.context as object)) {
        if (!(part in (start.snapshot.context as object))) lateParts.add(`${part} is missing at the start`);
        if (value !== null && value !== undefined) {
          typesByPart.set(part, (typesByPart.get(part) ?? new Set()).add(getValueType(value)));
        }
      }
    }
  }
  const mixedParts = [...typesByPart].filter(([, types]) => types.size > 1);
  return [...lateParts, ...mixedParts.map(([part, types]) => `${part} is ${[...types].join(' or ')}`)];
};
