import type { Edge, Graph } from './explore.ts';
import { getDecidedGuards } from './guards.ts';
import { criteria, generateTours, type Criterion, type Goals } from './tour.ts';
import { getTransitionName, getPassedStates } from './transitions.ts';

/** A path through a machine from one of its starts; without steps it only checks the start. */
export type PlannedTest = { graph: Graph; steps: Edge[] };

export type Plan = {
  tests: PlannedTest[];
  /** The number of the criterion's goals that the tests meet. */
  met: number;
  /**
   * Reachable goals that no test meets, because they are behind a stop, or no path leads from them
   * to one.
   */
  missed: string[];
};

export type PlanOptions = {
  /** The maximum steps of a test, unless the path to a single goal is longer. */
  maxLength?: number;
  /** Every test ends after the first edge for which it is true. */
  stop?: (edge: Edge) => boolean;
};

/** A longer test is hard to follow by hand, and to resume if it fails near its end. */
export const MAX_TEST_STEPS = 25;

/** The goals that a machine's start meets before the first event. */
const goalsMetAtStart: Record<Criterion, (graph: Graph) => string[]> = {
  states: ({ start, firedAtStart }) => [...start.snapshot._nodes.map((node) => node.id), ...getPassedStates(firedAtStart)],
  transitions: ({ firedAtStart }) => firedAtStart.map(getTransitionName),
  guards: ({ firedAtStart }) => getDecidedGuards(firedAtStart),
  pairs: () => [],
};

/**
 * Tests that together meet every goal of the criterion, start by start: the tests of one start skip
 * goals met by earlier ones. A start without new goals has no test, but a machine has at least one,
 * unless tests end at a stop that no path leads to.
 */
export const planTests = (graphs: Graph[], criterion: Criterion, options: PlanOptions = {}): Plan => {
  const { maxLength = MAX_TEST_STEPS, stop = null } = options;
  const met = new Set<string>();
  const missed = new Set<string>();
  const tests: PlannedTest[] = [];
  for (const graph of graphs) {
    const atStart = goalsMetAtStart[criterion](graph).filter((goal) => !met.has(goal));
    for (const goal of atStart) met.add(goal);
    const known = new Set(met);
    const fresh: Goals = (edge, before) => criteria[criterion](edge, before).filter((goal) => !known.has(goal));
    const toured = generateTours(graph, fresh, maxLength, stop);
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
