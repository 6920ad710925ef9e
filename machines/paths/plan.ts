import type { Edge, Graph } from './explore.ts';
import { getDecidedGuards } from './guards.ts';
import { criteria, generateTours, type Criterion, type Goals } from './tour.ts';
import { getTransitionName, getPassedStates } from './transitions.ts';

/** A path through a machine from one of its starts; a test without steps only checks the start. */
export type PlannedTest = { graph: Graph; steps: Edge[] };

export type Plan = {
  tests: PlannedTest[];
  /** The number of the criterion's goals that the tests meet. */
  met: number;
  /**
   * Reachable goals that no test meets: they are behind a stop, or no path leads from them to a
   * stop.
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
 * Plans tests that together meet every goal of the criterion, one start after another: the tests of
 * a start skip goals that earlier tests meet. A start without new goals gets no test, but a machine
 * gets at least one, unless tests end at a stop that no path leads to.
 */
export const planTests = (graphs: Graph[], criterion: Criterion, options: PlanOptions = {}): Plan => {
  const { maxLength = MAX_TEST_STEPS, stop = null } = options;
  const metGoals = new Set<string>();
  const missedGoals = new Set<string>();
  const tests: PlannedTest[] = [];
  for (const graph of graphs) {
    const startGoals = goalsMetAtStart[criterion](graph).filter((goal) => !metGoals.has(goal));
    for (const goal of startGoals) metGoals.add(goal);
    const earlierGoals = new Set(metGoals);
    const getNewGoals: Goals = (edge, before) => criteria[criterion](edge, before).filter((goal) => !earlierGoals.has(goal));
    const tourResult = generateTours(graph, getNewGoals, maxLength, stop);
    if (stop === null && tourResult.tours.length === 0 && (startGoals.length > 0 || tests.length === 0))
      tests.push({ graph, steps: [] });
    for (const steps of tourResult.tours) {
      tests.push({ graph, steps });
      steps.forEach((edge, index) => getNewGoals(edge, steps[index - 1] ?? null).forEach((goal) => metGoals.add(goal)));
    }
    for (const goal of tourResult.missed) missedGoals.add(goal);
  }
  return { tests, met: metGoals.size, missed: [...missedGoals].filter((goal) => !metGoals.has(goal)) };
};
