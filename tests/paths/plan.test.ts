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

/** The plans of all machines, and their CPU seconds: time of other processes does not count. */
const planAll = (criterion: Criterion) => {
  const start = process.cpuUsage();
  const plans = new Map([...exploreAllModels()].map(([name, graphs]) => [name, planTests(graphs, criterion)]));
  const { user, system } = process.cpuUsage(start);
  const planned = (name: string): Plan => plans.get(name) ?? { tests: [], met: 0, missed: [] };
  return { planned, seconds: (user + system) / 1_000_000 };
};
const byTransitions = planAll('transitions');
const byPairs = planAll('pairs');
const getMachine = ([{ machine }]: [PathModel]) => machine;

const findGoalsMet = (criterion: Criterion, { steps }: PlannedTest): string[] =>
  steps.flatMap((edge, place) => criteria[criterion](edge, steps[place - 1] ?? null));

const isConnected = ({ graph, steps }: PlannedTest): boolean =>
  steps.every((edge, place) => edge.from === (steps[place - 1]?.to ?? graph.start));

describe.each([...modelsByMachine.keys()])('the plan of %s', (name) => {
  const { tests: transitionTests, missed: missedTransitions } = byTransitions.planned(name);
  const { tests: pairTests, missed: missedPairs } = byPairs.planned(name);

  test('covers every transition by paths from the machine’s start', () => {
    const begun = new Set(transitionTests.map(({ graph }) => graph));
    const atStart = [...begun].flatMap(({ firedAtStart }) => firedAtStart.map(getTransitionName));
    const met = new Set([...atStart, ...transitionTests.flatMap((each) => findGoalsMet('transitions', each))]);
    const all = getTransitions(getMachine(modelsByMachine.get(name) as [PathModel])).map(getTransitionName);
    expect({ missed: missedTransitions, left: all.filter((each) => !met.has(each)) }).toEqual({ missed: [], left: [] });
    expect(transitionTests.filter((each) => !isConnected(each))).toEqual([]);
  });

  test('covers every pair of transitions that can follow one another', () => {
    const met = new Set(pairTests.flatMap((each) => findGoalsMet('pairs', each)));
    const possible = getGraphs(name).flatMap(({ edges }) =>
      edges.filter(({ exact }) => exact).flatMap((edge) => edge.to.out.flatMap((next) => criteria.pairs(next, edge))),
    );
    expect({ missed: missedPairs, left: possible.filter((pair) => !met.has(pair)) }).toEqual({ missed: [], left: [] });
    expect(pairTests.filter((each) => !isConnected(each))).toEqual([]);
  });

  test('has a test, and none that is too long to follow by hand', () => {
    expect(transitionTests.length).toBeGreaterThan(0);
    expect(pairTests.map(({ steps }) => steps.length).filter((length) => length > MAX_TEST_STEPS)).toEqual([]);
  });
});

test('a later start leaves out transitions of an earlier one, and a start that adds none has no test', () => {
  const graphs = getGraphs('purchase');
  const alone = graphs.map((graph) => planTests([graph], 'transitions').tests.length);
  const { tests } = planTests(graphs, 'transitions');
  expect(tests.length).toBeLessThan(alone.reduce((sum, count) => sum + count, 0));
  expect(planTests([...graphs, ...graphs], 'transitions').tests).toHaveLength(tests.length);
});

test('shorter tests cover the same, in more of them', () => {
  const whole = planTests(getGraphs('app'), 'transitions');
  const short = planTests(getGraphs('app'), 'transitions', { maxLength: 8 });
  expect(short.met).toBe(whole.met);
  expect(short.tests.length).toBeGreaterThan(whole.tests.length);
  expect(Math.max(...short.tests.map(({ steps }) => steps.length))).toBeLessThanOrEqual(8);
});

test('every test ends at a stop; transitions behind one, or leading to none, are named as missed', () => {
  const stop = ({ to }: Edge) => to.snapshot.matches('unknown');
  const { tests, missed } = planTests(getGraphs('payment'), 'transitions', { stop });
  expect(missed).toContain('payment.unknown status.pressed');
  expect(missed).toContain('payment.confirming xstate.done.actor.confirmPayment');
  expect(missed).not.toContain('payment.actionRequired cancel.pressed');
  expect(tests.length).toBeGreaterThan(1);
  for (const { steps } of tests) expect(steps.map(stop)).toEqual([...steps.slice(1).map(() => false), true]);
});

test('all machines are explored and covered by transitions in less than ten seconds, by pairs in less than a minute', () => {
  expect(byTransitions.seconds).toBeLessThan(10);
  expect(byPairs.seconds).toBeLessThan(60);
});
