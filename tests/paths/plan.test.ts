import { describe, expect, test } from 'vitest';
import { explore, type Edge } from '../../machines/paths/explore.ts';
import { MAX_TEST_STEPS, planTests, type Plan, type PlannedTest } from '../../machines/paths/plan.ts';
import { criteria, type Criterion } from '../../machines/paths/tour.ts';
import { getTransitionName, getTransitions } from '../../machines/paths/transitions.ts';
import { modelsByMachine } from '../../tools/path-models/models.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

const exploreAllModels = () =>
  new Map([...modelsByMachine].map(([name, starts]) => [name, starts.map((start) => explore(start.machine, start))]));
const explored = exploreAllModels();
const getGraphs = (name: string) => explored.get(name) ?? [];

/** The plans of all machines, and the seconds of CPU time for making them. */
const planAll = (criterion: Criterion) => {
  const start = process.cpuUsage();
  const plans = new Map([...exploreAllModels()].map(([name, graphs]) => [name, planTests(graphs, criterion)]));
  const { user, system } = process.cpuUsage(start);
  const getPlan = (name: string): Plan => plans.get(name) ?? { tests: [], met: 0, missed: [] };
  return { getPlan, seconds: (user + system) / 1_000_000 };
};
const transitionPlans = planAll('transitions');
const pairPlans = planAll('pairs');
const getMachine = ([{ machine }]: [PathModel]) => machine;

const findGoalsMet = (criterion: Criterion, { steps }: PlannedTest): string[] =>
  steps.flatMap((edge, index) => criteria[criterion](edge, steps[index - 1] ?? null));

const isConnected = ({ graph, steps }: PlannedTest): boolean =>
  steps.every((edge, index) => edge.from === (steps[index - 1]?.to ?? graph.start));

describe.each([...modelsByMachine.keys()])('the plan of %s', (name) => {
  const { tests: transitionTests, missed: missedTransitions } = transitionPlans.getPlan(name);
  const { tests: pairTests, missed: missedPairs } = pairPlans.getPlan(name);

  test('every transition is covered by paths from the machine’s start', () => {
    const startedGraphs = new Set(transitionTests.map(({ graph }) => graph));
    const startTransitions = [...startedGraphs].flatMap(({ firedAtStart }) => firedAtStart.map(getTransitionName));
    const coveredGoals = new Set([...startTransitions, ...transitionTests.flatMap((each) => findGoalsMet('transitions', each))]);
    const allTransitions = getTransitions(getMachine(modelsByMachine.get(name) as [PathModel])).map(getTransitionName);
    expect({ missed: missedTransitions, left: allTransitions.filter((each) => !coveredGoals.has(each)) }).toEqual({
      missed: [],
      left: [],
    });
    expect(transitionTests.filter((each) => !isConnected(each))).toEqual([]);
  });

  test('every pair of successive transitions is covered', () => {
    const coveredGoals = new Set(pairTests.flatMap((each) => findGoalsMet('pairs', each)));
    const possiblePairs = getGraphs(name).flatMap(({ edges }) =>
      edges.filter(({ exact }) => exact).flatMap((edge) => edge.to.out.flatMap((next) => criteria.pairs(next, edge))),
    );
    expect({ missed: missedPairs, left: possiblePairs.filter((pair) => !coveredGoals.has(pair)) }).toEqual({
      missed: [],
      left: [],
    });
    expect(pairTests.filter((each) => !isConnected(each))).toEqual([]);
  });

  test('there are tests, and those of pairs are short enough to follow by hand', () => {
    expect(transitionTests.length).toBeGreaterThan(0);
    expect(pairTests.map(({ steps }) => steps.length).filter((length) => length > MAX_TEST_STEPS)).toEqual([]);
  });
});

test('a later start leaves out transitions of an earlier one, and a start that adds none has no test', () => {
  const graphs = getGraphs('purchase');
  const separateCounts = graphs.map((graph) => planTests([graph], 'transitions').tests.length);
  const { tests } = planTests(graphs, 'transitions');
  expect(tests.length).toBeLessThan(separateCounts.reduce((sum, count) => sum + count, 0));
  expect(planTests([...graphs, ...graphs], 'transitions').tests).toHaveLength(tests.length);
});

test('a plan of shorter tests covers the same transitions by more tests', () => {
  const longPlan = planTests(getGraphs('app'), 'transitions');
  const shortPlan = planTests(getGraphs('app'), 'transitions', { maxLength: 8 });
  expect(shortPlan.met).toBe(longPlan.met);
  expect(shortPlan.tests.length).toBeGreaterThan(longPlan.tests.length);
  expect(Math.max(...shortPlan.tests.map(({ steps }) => steps.length))).toBeLessThanOrEqual(8);
});

test('every test ends at a stop; transitions behind a stop, or leading to none, are missed', () => {
  const stop = ({ to }: Edge) => to.snapshot.matches('unknown');
  const { tests, missed } = planTests(getGraphs('payment'), 'transitions', { stop });
  expect(missed).toContain('payment.unknown status.pressed');
  expect(missed).toContain('payment.confirming xstate.done.actor.confirmPayment');
  expect(missed).not.toContain('payment.actionRequired cancel.pressed');
  expect(tests.length).toBeGreaterThan(1);
  for (const { steps } of tests) expect(steps.map(stop)).toEqual([...steps.slice(1).map(() => false), true]);
});

test('planning all machines by transitions takes less than ten seconds of CPU time, by pairs less than a minute', () => {
  expect(transitionPlans.seconds).toBeLessThan(10);
  expect(pairPlans.seconds).toBeLessThan(60);
});
