import type { Edge, Graph, Node } from './explore.ts';
import { nameOf } from './transitions.ts';

/** What an edge reaches that a tour is after. */
export type Goals = (edge: Edge) => string[];

export const everyTransition: Goals = (edge) => edge.fired.map(nameOf);

/** Leaf states, as the snapshot's value. */
export const everyState: Goals = ({ to }) => [JSON.stringify(to.snapshot.value)];

export type Tours = {
  /** Each starts where the machine starts. */
  tours: Edge[][];
  /** Goals that no edge reached from the start leads to. */
  missed: string[];
};

/** The shortest way from a node to an edge that reaches something new. */
const nearest = (from: Node, isNew: (edge: Edge) => boolean): Edge[] | null => {
  const cameBy = new Map<Node, Edge | null>([[from, null]]);
  const queue = [from];
  for (const node of queue) {
    for (const edge of node.out) {
      if (isNew(edge)) {
        const way = [edge];
        for (let back = cameBy.get(node); back; back = cameBy.get(back.from)) way.unshift(back);
        return way;
      }
      if (!edge.exact || cameBy.has(edge.to)) continue;
      cameBy.set(edge.to, edge);
      queue.push(edge.to);
    }
  }
  return null;
};

/**
 * Greedy tours, the nearest new goal first. A tour ends when nothing new can be reached, when the next step only leads to
 * the like of a known snapshot, or before it gets longer than `maxLength`.
 */
export const toursOf = (graph: Graph, goals: Goals = everyTransition, maxLength = Infinity): Tours => {
  const open = new Set(graph.edges.flatMap(goals));
  for (const transition of graph.firedAtStart) open.delete(nameOf(transition));
  const isNew = (edge: Edge) => goals(edge).some((goal) => open.has(goal));
  const tours: Edge[][] = [];
  while (open.size > 0) {
    const tour: Edge[] = [];
    let at: Node | null = graph.start;
    while (at) {
      const way = nearest(at, isNew);
      if (!way || (tour.length > 0 && tour.length + way.length > maxLength)) break;
      tour.push(...way);
      for (const edge of way) for (const goal of goals(edge)) open.delete(goal);
      const last = way.at(-1);
      at = last?.exact ? last.to : null;
    }
    if (tour.length === 0) break;
    tours.push(tour);
  }
  return { tours, missed: [...open] };
};
