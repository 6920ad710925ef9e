import type { Edge, Graph } from './explore.ts';
import { decidedBy } from './guards.ts';
import { criteria, toursOf, type Criterion, type Goals } from './tour.ts';
import { nameOf, passedBy } from './transitions.ts';

/** A way through a machine from one of its starts; without steps it only looks at the start. */
export type PlannedTest = { graph: Graph; steps: Edge[] };

export type Plan = {
  tests: PlannedTest[];
  /** How many goals of the criterion the tests meet. */
  met: number;
  /** Goals that can be reached but that no test meets, because they lie behind a stop, or no way leads from them to one. */
  missed: string[];
};

export type PlanOptions = {
  /** Steps of a test at most, unless the way to a single goal is longer. */
  maxLength?: number;
  /** Every test ends after the first edge for which it is true. */
  stop?: (edge: Edge) => boolean;
};

/** A longer test is hard to follow by hand, and to take up again when it fails near its end. */
export const longestTest = 25;

/** What the start of a machine meets before the first event. */
const metAtStart: Record<Criterion, (graph: Graph) => string[]> = {
  states: ({ start, firedAtStart }) => [...start.snapshot._nodes.map((node) => node.id), ...passedBy(firedAtStart)],
  transitions: ({ firedAtStart }) => firedAtStart.map(nameOf),
  guards: ({ firedAtStart }) => decidedBy(firedAtStart),
  pairs: () => [],
};

/**
 * Tests that together meet every goal of the criterion, start by start: the tests of one start leave out what those of the
 * starts before have met already. A start that meets nothing new has no test, but a machine has one at least, unless tests end at a
 * stop that no way leads to.
 */
export const planOf = (graphs: Graph[], criterion: Criterion, options: PlanOptions = {}): Plan => {
  const { maxLength = longestTest, stop = null } = options;
  const met = new Set<string>();
  const missed = new Set<string>();
  const tests: PlannedTest[] = [];
  for (const graph of graphs) {
    const atStart = metAtStart[criterion](graph).filter((goal) => !met.has(goal));
    for (const goal of atStart) met.add(goal);
    const known = new Set(met);
    const fresh: Goals = (edge, before) => criteria[criterion](edge, before).filter((goal) => !known.has(goal));
    const toured = toursOf(graph, fresh, maxLength, stop);
    if (stop === null && toured.tours.length === 0 && (atStart.length > 0 || tests.length === 0))
      tests.push({ graph, steps: [] });
    for (const steps of toured.tours) {
      tests.push({ graph, steps });
      steps.forEach((edge, index) => fresh(edge, steps[index - 1] ?? null).forEach((goal) => met.add(goal)));
    }
    for (const goal of toured.missed) missed.add(goal);
  }
  return { tests, met: met.size, missed: [...missed].filter((goal) => !met.has(goal)) };
};
