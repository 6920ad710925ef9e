import type { Edge, Graph } from './explore.ts';
import { nameOf } from './transitions.ts';
import { outcomesOf } from './guards.ts';

/** What an edge reaches that a tour is after; `before` is the edge that led to it in the same tour. */
export type Goals = (edge: Edge, before: Edge | null) => string[];

export type Criterion = 'states' | 'transitions' | 'guards' | 'pairs';

export const criteria: Record<Criterion, Goals> = {
  /** Each state of the snapshot that an edge leads to. */
  states: ({ to }) => to.snapshot._nodes.map((node) => node.id),
  transitions: ({ fired }) => fired.map(nameOf),
  /** Each guard once true and once false. */
  guards: outcomesOf,
  /** Each two transitions that can follow one another. */
  pairs: (edge, before) =>
    (before?.fired ?? []).flatMap((first) => edge.fired.map((second) => `${nameOf(first)} > ${nameOf(second)}`)),
};

export type Tours = {
  /** Each starts where the machine starts. */
  tours: Edge[][];
  /** Goals that some way from the start reaches, but no tour: they lie behind a stop. */
  missed: string[];
};

type Stop = (edge: Edge) => boolean;

const following = (graph: Graph, last: Edge | null, stop: Stop = () => false): Edge[] => {
  if (last === null) return graph.start.out;
  return last.exact && !stop(last) ? last.to.out : [];
};

/** Every goal that some way from the start reaches. */
const goalsOf = (graph: Graph, goals: Goals): Set<string> => {
  const all = new Set<string>();
  const seen = new Set<Edge>();
  const queue: (Edge | null)[] = [null];
  for (const last of queue) {
    for (const edge of following(graph, last)) {
      for (const goal of goals(edge, last)) all.add(goal);
      if (seen.has(edge)) continue;
      seen.add(edge);
      queue.push(edge);
    }
  }
  return all;
};

/** The shortest way on from `last` to an edge that reaches something new. */
const nearest = (
  graph: Graph,
  last: Edge | null,
  isNew: (edge: Edge, before: Edge | null) => boolean,
  stop: Stop,
): Edge[] | null => {
  const cameBy = new Map<Edge, Edge | null>();
  const queue: (Edge | null)[] = [last];
  for (const before of queue) {
    for (const edge of following(graph, before, stop)) {
      if (isNew(edge, before)) {
        const way = [edge];
        for (let back = before; back && back !== last; back = cameBy.get(back) ?? null) way.unshift(back);
        return way;
      }
      if (cameBy.has(edge) || edge === last) continue;
      cameBy.set(edge, before);
      queue.push(edge);
    }
  }
  return null;
};

/**
 * Greedy tours, the nearest new goal first. A tour ends when nothing new can be reached, when its last step only leads to
 * the like of a known snapshot, before it gets longer than `maxLength`, or after an edge for which `stop` is true.
 */
export const toursOf = (
  graph: Graph,
  goals: Goals = criteria.transitions,
  maxLength = Infinity,
  stop: Stop = () => false,
): Tours => {
  const open = goalsOf(graph, goals);
  const tours: Edge[][] = [];
  const isNew = (edge: Edge, before: Edge | null) => goals(edge, before).some((goal) => open.has(goal));
  while (open.size > 0) {
    const tour: Edge[] = [];
    for (;;) {
      const way = nearest(graph, tour.at(-1) ?? null, isNew, stop);
      if (!way || (tour.length > 0 && tour.length + way.length > maxLength)) break;
      for (const edge of way) {
        for (const goal of goals(edge, tour.at(-1) ?? null)) open.delete(goal);
        tour.push(edge);
      }
    }
    if (tour.length === 0) break;
    tours.push(tour);
  }
  return { tours, missed: [...open] };
};
