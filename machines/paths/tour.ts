import type { Edge, Graph } from './explore.ts';
import { getTransitionName, getPassedStates } from './transitions.ts';
import { getGuardOutcomes } from './guards.ts';

/** Returns the goals that an edge reaches; `previousEdge` is the previous edge in the same walk. */
export type Goals = (edge: Edge, previousEdge: Edge | null) => string[];

export type Criterion = 'states' | 'transitions' | 'guards' | 'pairs';

export const criteria: Record<Criterion, Goals> = {
  /** Each state that an edge passes or enters. */
  states: ({ to, fired }) => [...getPassedStates(fired), ...to.snapshot._nodes.map((node) => node.id)],
  transitions: ({ fired }) => fired.map(getTransitionName),
  /** Each guard once true and once false. */
  guards: getGuardOutcomes,
  /** Each pair of transitions that can follow one another. */
  pairs: (edge, previousEdge) =>
    (previousEdge?.fired ?? []).flatMap((first) =>
      edge.fired.map((second) => `${getTransitionName(first)} > ${getTransitionName(second)}`),
    ),
};

export type Tours = {
  /** The walks; each begins at the machine's start. */
  tours: Edge[][];
  /**
   * Goals that are reachable from the start but in no walk: they are behind a stop, or no path
   * leads from them to a stop.
   */
  missed: string[];
};

type Stop = (edge: Edge) => boolean;

const neverStops: Stop = () => false;

const getNextEdges = (graph: Graph, lastEdge: Edge | null, stop: Stop = neverStops): Edge[] => {
  if (lastEdge === null) return graph.start.out;
  return lastEdge.exact && !stop(lastEdge) ? lastEdge.to.out : [];
};

/** Every goal that is reachable from the start. */
const collectGoals = (graph: Graph, goals: Goals): Set<string> => {
  const reachable = new Set<string>();
  const visitedEdges = new Set<Edge>();
  const queue: (Edge | null)[] = [null];
  for (const lastEdge of queue) {
    for (const edge of getNextEdges(graph, lastEdge)) {
      for (const goal of goals(edge, lastEdge)) reachable.add(goal);
      if (visitedEdges.has(edge)) continue;
      visitedEdges.add(edge);
      queue.push(edge);
    }
  }
  return reachable;
};

/** The shortest path from `lastEdge` (null: from the start) to an edge that reaches a new goal. */
const findNearest = (
  graph: Graph,
  lastEdge: Edge | null,
  isNew: (edge: Edge, previousEdge: Edge | null) => boolean,
  stop: Stop,
): Edge[] | null => {
  const previousEdges = new Map<Edge, Edge | null>();
  const queue: (Edge | null)[] = [lastEdge];
  for (const previousEdge of queue) {
    for (const edge of getNextEdges(graph, previousEdge, stop)) {
      if (isNew(edge, previousEdge)) {
        const path = [edge];
        for (let step = previousEdge; step && step !== lastEdge; step = previousEdges.get(step) ?? null) {
          path.unshift(step);
        }
        return path;
      }
      if (previousEdges.has(edge) || edge === lastEdge) continue;
      previousEdges.set(edge, previousEdge);
      queue.push(edge);
    }
  }
  return null;
};

/**
 * Builds a walk from the start over new goals, the nearest first, and then to a stop, if stops are
 * required.
 */
const buildTour = (
  graph: Graph,
  isNew: (edge: Edge, previousEdge: Edge | null) => boolean,
  onEdge: (edge: Edge, previousEdge: Edge | null) => void,
  maxLength: number,
  stop: Stop | null,
): Edge[] => {
  const tour: Edge[] = [];
  const appendPath = (path: Edge[]): void => {
    for (const edge of path) {
      onEdge(edge, tour.at(-1) ?? null);
      tour.push(edge);
    }
  };
  for (;;) {
    const path = findNearest(graph, tour.at(-1) ?? null, isNew, stop ?? neverStops);
    if (!path || (tour.length > 0 && tour.length + path.length > maxLength)) break;
    appendPath(path);
  }
  const lastEdge = tour.at(-1);
  if (stop && lastEdge && !stop(lastEdge)) appendPath(findNearest(graph, lastEdge, stop, neverStops) ?? []);
  return tour;
};

/**
 * Generates walks greedily, the nearest new goal first. A walk ends if no new goal is reachable, if
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
  const openGoals = collectGoals(graph, goals);
  const reachableGoals = [...openGoals];
  const tours: Edge[][] = [];
  const isNew = (edge: Edge, previousEdge: Edge | null) => goals(edge, previousEdge).some((goal) => openGoals.has(goal));
  const metGoals = new Set<string>();
  while (openGoals.size > 0) {
    const tourGoals = new Set<string>();
    const tour = buildTour(
      graph,
      isNew,
      (edge, previousEdge) => {
        for (const goal of goals(edge, previousEdge)) {
          openGoals.delete(goal);
          tourGoals.add(goal);
        }
      },
      maxLength,
      stop,
    );
    const lastEdge = tour.at(-1);
    if (!lastEdge) break;
    if (stop && !stop(lastEdge)) continue;
    tours.push(tour);
    for (const goal of tourGoals) metGoals.add(goal);
  }
  return { tours, missed: reachableGoals.filter((goal) => !metGoals.has(goal)) };
};
