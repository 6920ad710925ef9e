import { describe, expect, test } from 'vitest';
import { explore, type Edge } from '../../machines/paths/explore.ts';
import { longestTest, planOf, type Plan, type PlannedTest } from '../../machines/paths/plan.ts';
import { criteria, type Criterion } from '../../machines/paths/tour.ts';
import { nameOf, transitionsOf } from '../../machines/paths/transitions.ts';
import { startsOf } from '../../tools/path-models/models.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

const exploreAll = () =>
  new Map([...startsOf].map(([name, starts]) => [name, starts.map((start) => explore(start.machine, start))]));
const explored = exploreAll();
const graphsOf = (name: string) => explored.get(name) ?? [];

/** The plans of all machines, and the seconds of the processor that they take: those of other programs do not count. */
const planAll = (criterion: Criterion) => {
  const start = process.cpuUsage();
  const plans = new Map([...exploreAll()].map(([name, graphs]) => [name, planOf(graphs, criterion)]));
  const { user, system } = process.cpuUsage(start);
  const planned = (name: string): Plan => plans.get(name) ?? { tests: [], met: 0, missed: [] };
  return { planned, seconds: (user + system) / 1_000_000 };
};
const byTransitions = planAll('transitions');
const byPairs = planAll('pairs');
const machineOf = ([{ machine }]: [PathModel]) => machine;

const goalsMet = (criterion: Criterion, { steps }: PlannedTest): string[] =>
  steps.flatMap((edge, place) => criteria[criterion](edge, steps[place - 1] ?? null));

const isWay = ({ graph, steps }: PlannedTest): boolean =>
  steps.every((edge, place) => edge.from === (steps[place - 1]?.to ?? graph.start));

describe.each([...startsOf.keys()])('the plan of %s', (name) => {
  const { tests: transitionTests, missed: missedTransitions } = byTransitions.planned(name);
  const { tests: pairTests, missed: missedPairs } = byPairs.planned(name);

  test('meets every transition by ways that start where the machine starts', () => {
    const begun = new Set(transitionTests.map(({ graph }) => graph));
    const atStart = [...begun].flatMap(({ firedAtStart }) => firedAtStart.map(nameOf));
    const met = new Set([...atStart, ...transitionTests.flatMap((each) => goalsMet('transitions', each))]);
    const all = transitionsOf(machineOf(startsOf.get(name) as [PathModel])).map(nameOf);
    expect({ missed: missedTransitions, left: all.filter((each) => !met.has(each)) }).toEqual({ missed: [], left: [] });
    expect(transitionTests.filter((each) => !isWay(each))).toEqual([]);
  });

  test('meets every pair of transitions that can follow one another', () => {
    const met = new Set(pairTests.flatMap((each) => goalsMet('pairs', each)));
    const possible = graphsOf(name).flatMap(({ edges }) =>
      edges.filter(({ exact }) => exact).flatMap((edge) => edge.to.out.flatMap((next) => criteria.pairs(next, edge))),
    );
    expect({ missed: missedPairs, left: possible.filter((pair) => !met.has(pair)) }).toEqual({ missed: [], left: [] });
    expect(pairTests.filter((each) => !isWay(each))).toEqual([]);
  });

  test('has a test, and none that is too long to be followed by hand', () => {
    expect(transitionTests.length).toBeGreaterThan(0);
    expect(pairTests.map(({ steps }) => steps.length).filter((length) => length > longestTest)).toEqual([]);
  });
});

test('a later start leaves out what an earlier one has met, and a start that brings nothing new has no test', () => {
  const graphs = graphsOf('purchase');
  const alone = graphs.map((graph) => planOf([graph], 'transitions').tests.length);
  const { tests } = planOf(graphs, 'transitions');
  expect(tests.length).toBeLessThan(alone.reduce((sum, count) => sum + count, 0));
  expect(planOf([...graphs, ...graphs], 'transitions').tests).toHaveLength(tests.length);
});

test('shorter tests meet the same, in more of them', () => {
  const whole = planOf(graphsOf('app'), 'transitions');
  const short = planOf(graphsOf('app'), 'transitions', { maxLength: 8 });
  expect(short.met).toBe(whole.met);
  expect(short.tests.length).toBeGreaterThan(whole.tests.length);
  expect(Math.max(...short.tests.map(({ steps }) => steps.length))).toBeLessThanOrEqual(8);
});

test('every test ends at a stop, and what lies behind one, or leads to none, is missed and named', () => {
  const stop = ({ to }: Edge) => to.snapshot.matches('unknown');
  const { tests, missed } = planOf(graphsOf('payment'), 'transitions', { stop });
  expect(missed).toContain('payment.unknown status.pressed');
  expect(missed).toContain('payment.confirming xstate.done.actor.confirmPayment');
  expect(missed).not.toContain('payment.actionRequired cancel.pressed');
  expect(tests.length).toBeGreaterThan(1);
  for (const { steps } of tests) expect(steps.map(stop)).toEqual([...steps.slice(1).map(() => false), true]);
});

test('all machines are explored and toured by transitions in less than ten seconds, by pairs in less than a minute', () => {
  expect(byTransitions.seconds).toBeLessThan(10);
  expect(byPairs.seconds).toBeLessThan(60);
});
