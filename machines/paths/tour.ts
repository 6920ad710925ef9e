import type { Edge, Graph } from './explore.ts';
import { nameOf, passedBy } from './transitions.ts';
import { outcomesOf } from './guards.ts';

/** What an edge reaches that a tour is after; `before` is the edge that led to it in the same tour. */
export type Goals = (edge: Edge, before: Edge | null) => string[];

export type Criterion = 'states' | 'transitions' | 'guards' | 'pairs';

export const criteria: Record<Criterion, Goals> = {
  /** Each state that an edge passes, or leads to. */
  states: ({ to, fired }) => [...passedBy(fired), ...to.snapshot._nodes.map((node) => node.id)],
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
  /** Goals that some way from the start reaches, but no tour: they lie behind a stop, or no way leads from them to one. */
  missed: string[];
};

type Stop = (edge: Edge) => boolean;

const nowhere: Stop = () => false;

const following = (graph: Graph, last: Edge | null, stop: Stop = nowhere): Edge[] => {
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

/** A tour from the start over new goals, the nearest first, or from its last goal on to the stop, if there is one. */
const tourOver = (
  graph: Graph,
  isNew: (edge: Edge, before: Edge | null) => boolean,
  meet: (edge: Edge, before: Edge | null) => void,
  maxLength: number,
  stop: Stop | null,
): Edge[] => {
  const tour: Edge[] = [];
  const go = (way: Edge[]): void => {
    for (const edge of way) {
      meet(edge, tour.at(-1) ?? null);
      tour.push(edge);
    }
  };
  for (;;) {
    const way = nearest(graph, tour.at(-1) ?? null, isNew, stop ?? nowhere);
    if (!way || (tour.length > 0 && tour.length + way.length > maxLength)) break;
    go(way);
  }
  const last = tour.at(-1);
  if (stop && last && !stop(last)) go(nearest(graph, last, stop, nowhere) ?? []);
  return tour;
};

/**
 * Greedy tours, the nearest new goal first. A tour ends when nothing new can be reached, when its last step only leads to
 * the like of a known snapshot, or before it gets longer than `maxLength`. With a `stop` each ends after the first edge for
 * which it is true, to which it may go on beyond `maxLength`; what cannot be followed by one is left out.
 */
export const toursOf = (
  graph: Graph,
  goals: Goals = criteria.transitions,
  maxLength = Infinity,
  stop: Stop | null = null,
): Tours => {
  const open = goalsOf(graph, goals);
  const all = [...open];
  const tours: Edge[][] = [];
  const isNew = (edge: Edge, before: Edge | null) => goals(edge, before).some((goal) => open.has(goal));
  const met = new Set<string>();
  while (open.size > 0) {
    const meets = new Set<string>();
    const tour = tourOver(
      graph,
      isNew,
      (edge, before) => {
        for (const goal of goals(edge, before)) {
          open.delete(goal);
          meets.add(goal);
        }
      },
      maxLength,
      stop,
    );
    const last = tour.at(-1);
    if (!last) break;
    if (stop && !stop(last)) continue;
    tours.push(tour);
    for (const goal of meets) met.add(goal);
  }
  return { tours, missed: all.filter((goal) => !met.has(goal)) };
};
