import type { Edge, Graph } from './explore.ts';
import { getTransitionName, getPassedStates } from './transitions.ts';
import { getGuardOutcomes } from './guards.ts';

/** The goals that an edge reaches; `before` is the edge before it in the same walk. */
export type Goals = (edge: Edge, before: Edge | null) => string[];

export type Criterion = 'states' | 'transitions' | 'guards' | 'pairs';

export const criteria: Record<Criterion, Goals> = {
  /** Each state that an edge passes or enters. */
  states: ({ to, fired }) => [...getPassedStates(fired), ...to.snapshot._nodes.map((node) => node.id)],
  transitions: ({ fired }) => fired.map(getTransitionName),
  /** Each guard once true and once false. */
  guards: getGuardOutcomes,
  /** Each pair of transitions that can follow one another. */
  pairs: (edge, before) =>
    (before?.fired ?? []).flatMap((first) =>
      edge.fired.map((second) => `${getTransitionName(first)} > ${getTransitionName(second)}`),
    ),
};

export type Tours = {
  /** Each begins at the machine's start. */
  tours: Edge[][];
  /**
   * Goals that are reachable from the start but in no walk: they are behind a stop, or no path
   * leads from them to one.
   */
  missed: string[];
};

type Stop = (edge: Edge) => boolean;

const neverStops: Stop = () => false;

const nextEdges = (graph: Graph, last: Edge | null, stop: Stop = neverStops): Edge[] => {
  if (last === null) return graph.start.out;
  return last.exact && !stop(last) ? last.to.out : [];
};

/** Every goal that is reachable from the start. */
const collectGoals = (graph: Graph, goals: Goals): Set<string> => {
  const all = new Set<string>();
  const seen = new Set<Edge>();
  const queue: (Edge | null)[] = [null];
  for (const last of queue) {
    for (const edge of nextEdges(graph, last)) {
      for (const goal of goals(edge, last)) all.add(goal);
      if (seen.has(edge)) continue;
      seen.add(edge);
      queue.push(edge);
    }
  }
  return all;
};

/** The shortest path from `last` to an edge that reaches a new goal. */
const findNearest = (
  graph: Graph,
  last: Edge | null,
  isNew: (edge: Edge, before: Edge | null) => boolean,
  stop: Stop,
): Edge[] | null => {
  const cameBy = new Map<Edge, Edge | null>();
  const queue: (Edge | null)[] = [last];
  for (const before of queue) {
    for (const edge of nextEdges(graph, before, stop)) {
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
 * A walk from the start over new goals, the nearest first; or from its last goal to the stop, if
 * there is one.
 */
const buildTour = (
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
    const way = findNearest(graph, tour.at(-1) ?? null, isNew, stop ?? neverStops);
    if (!way || (tour.length > 0 && tour.length + way.length > maxLength)) break;
    go(way);
  }
  const last = tour.at(-1);
  if (stop && last && !stop(last)) go(findNearest(graph, last, stop, neverStops) ?? []);
  return tour;
};

/**
 * Greedy generated walks, the nearest new goal first. A walk ends if no new goal is reachable, if
 * its last step only leads to another snapshot of a known kind, or before it exceeds `maxLength`.
 * With a `stop` each walk ends after the first edge for which it is true, and may exceed
 * `maxLength` to reach it; goals from which no stop is reachable are left out.
 */
export const generateTours = (
  graph: Graph,
  goals: Goals = criteria.transitions,
  maxLength = Infinity,
  stop: Stop | null = null,
): Tours => {
  const open = collectGoals(graph, goals);
  const all = [...open];
  const tours: Edge[][] = [];
  const isNew = (edge: Edge, before: Edge | null) => goals(edge, before).some((goal) => open.has(goal));
  const met = new Set<string>();
  while (open.size > 0) {
    const meets = new Set<string>();
    const tour = buildTour(
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
