import { describe, expect, test } from 'vitest';
import { getCoverage } from '../../machines/paths/coverage.ts';
import { explore } from '../../machines/paths/explore.ts';
import { criteria, generateTours } from '../../machines/paths/tour.ts';
import { getTransitionName } from '../../machines/paths/transitions.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { modelsByMachine } from '../../tools/path-models/models.ts';

describe.each([...modelsByMachine])('%s', (_, variants) => {
  const graphs = variants.map((model) => explore(model.machine, model));
  const [{ machine }] = variants as [PathModel];

  test('no step throws', () => {
    expect(graphs.flatMap((graph) => graph.failures)).toEqual([]);
  });

  test('every state, every transition and both outcomes of every guard are reached', () => {
    const { states, transitions, guards } = getCoverage(machine, graphs);
    expect([...states.uncovered, ...transitions.uncovered, ...guards.uncovered]).toEqual([]);
  });

  test('the generated walks take every transition', () => {
    for (const graph of graphs) {
      const { tours, missed } = generateTours(graph, criteria.transitions);
      const touredTransitions = new Set(
        [...graph.firedAtStart, ...tours.flat().flatMap((edge) => edge.fired)].map(getTransitionName),
      );
      const exploredTransitions = graph.edges.flatMap((edge) => edge.fired.map(getTransitionName));
      expect({ missed, left: exploredTransitions.filter((name) => !touredTransitions.has(name)) }).toEqual({
        missed: [],
        left: [],
      });
    }
  });

  test('the context is plain JSON in every snapshot', () => {
    for (const { snapshot } of graphs.flatMap((graph) => graph.nodes)) {
      expect(JSON.parse(JSON.stringify(snapshot.context))).toEqual(snapshot.context);
    }
  });
});
