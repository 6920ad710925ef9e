import type { Graph } from './explore.ts';

const getKind = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

/**
 * The parts of a machine's context that are missing at the start, or hold values of several types
 * on its paths, such as a text here and an object there; null has no type.
 */
export const findUnevenParts = (graphs: readonly Graph[]): string[] => {
  const kinds = new Map<string, Set<string>>();
  const late = new Set<string>();
  for (const { start, nodes } of graphs) {
    for (const { snapshot } of nodes) {
      for (const [part, value] of Object.entries(snapshot.context as object)) {
        if (!(part in (start.snapshot.context as object))) late.add(`${part} is not there from the start`);
        if (value !== null && value !== undefined) kinds.set(part, (kinds.get(part) ?? new Set()).add(getKind(value)));
      }
    }
  }
  const mixed = [...kinds].filter(([, found]) => found.size > 1);
  return [...late, ...mixed.map(([part, found]) => `${part} is ${[...found].join(' or ')}`)];
};
