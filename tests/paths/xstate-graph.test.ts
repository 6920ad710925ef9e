import { createTestModel, getShortestPaths } from 'xstate/graph';
import { describe, expect, test } from 'vitest';
import { getModel, modelsByMachine } from '../../tools/path-models/models.ts';
import {
  measureOurTours,
  measureShortestOverEdges,
  measureShortestToKinds,
  measureSimplePaths,
  countSnapshots,
  type Reach,
} from '../support/path-engines.ts';

// docs/decisions/2026-11-27-xstate-graph-and-our-path-engine.md draws the conclusions.

const formatReach = (method: string, { seconds, ...counts }: Reach): string =>
  [method, ...Object.entries(counts).map(([unit, count]) => `${count} ${unit}`), `${seconds.toFixed(2)} s`].join(', ');

describe.each(['tax', 'payment', 'redeem'])('%s: paths of xstate/graph over the same graph, and our generated walks', (name) => {
  const starts = modelsByMachine.get(name) ?? [];

  test('our walks take every transition in no more tests and steps', async ({ annotate }) => {
    const reaches = {
      ours: measureOurTours(starts),
      toKinds: measureShortestToKinds(starts),
      overEdges: measureShortestOverEdges(starts, { onlyNew: false }),
      onlyNew: measureShortestOverEdges(starts, { onlyNew: true }),
    };
    for (const [method, reach] of Object.entries(reaches)) await annotate(formatReach(`${name}, ${method}`, reach));
    const { ours, toKinds, overEdges, onlyNew } = reaches;
    expect(toKinds.transitions).toBeLessThan(ours.transitions);
    expect([overEdges.transitions, onlyNew.transitions]).toEqual([ours.transitions, ours.transitions]);
    expect(overEdges.steps).toBeGreaterThan(3 * ours.steps);
    expect(onlyNew.tests).toBeGreaterThanOrEqual(ours.tests);
    expect(onlyNew.steps).toBeGreaterThanOrEqual(ours.steps);
  });
});

test('simple paths do not take every transition', async ({ annotate }) => {
  const starts = modelsByMachine.get('tax') ?? [];
  const simpleReach = measureSimplePaths(starts);
  await annotate(formatReach('tax, simple', simpleReach));
  expect(simpleReach.transitions).toBeLessThan(measureOurTours(starts).transitions);
});

describe('xstate/graph by itself', () => {
  const { machine, input, cases = {} } = getModel('tax');
  const events = Object.entries(cases).flatMap(([type, payloads]) => payloads.map((payload) => ({ type, ...payload })));
  const options = { input, events } as object;

  test('xstate/graph makes no test model of a machine that invokes', () => {
    expect(() => createTestModel(machine, options)).toThrow('Invocations on test machines are not supported');
  });

  test('xstate/graph cannot step a machine that sends events to its parent', () => {
    expect(() => getShortestPaths(machine, options)).toThrow("Unable to send event to actor '#_parent'");
  });

  test('xstate/graph does not finish a search of a context with very many values', () => {
    expect(countSnapshots(getModel('purchase', 3), 3_000)).toBeNull();
  });
});
