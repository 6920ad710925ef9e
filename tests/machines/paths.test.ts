import { describe, expect, test } from 'vitest';
import { explore } from '../../machines/paths/explore.ts';
import { toursOf } from '../../machines/paths/tour.ts';
import { nameOf, transitionsOf } from '../../machines/paths/transitions.ts';
import { stateCoverage } from '../../machines/paths/coverage.ts';
import { appModels } from './app.paths.ts';
import { flowModels } from './flows.paths.ts';
import type { PathModel } from './model.ts';
import { purchaseModels } from './purchase.paths.ts';
import { readingModels } from './reading.paths.ts';

const models = [...appModels, ...flowModels, ...purchaseModels, ...readingModels];
const byName = Map.groupBy(models, ({ name }: PathModel) => name);

describe.each([...byName])('%s', (_, variants) => {
  const graphs = variants.map((model) => ({ model, graph: explore(model.machine, model) }));

  test('throws in no step', () => {
    expect(graphs.flatMap(({ graph }) => graph.failures)).toEqual([]);
  });

  test('every transition is on some tour', () => {
    const { machine } = graphs[0]?.model ?? {};
    const fired = graphs.flatMap(({ graph }) => [
      ...graph.firedAtStart,
      ...toursOf(graph).tours.flat().flatMap((edge) => edge.fired),
    ]);
    const covered = new Set(fired.map(nameOf));
    const all = machine ? transitionsOf(machine).map(nameOf) : [];
    expect(all.filter((name) => !covered.has(name))).toEqual([]);
  });

  test('every state is reached', () => {
    const never = graphs.map(({ model, graph }) => new Set(stateCoverage(model.machine, graph).uncovered));
    const [first = new Set<string>(), ...rest] = never;
    expect([...first].filter((state) => rest.every((others) => others.has(state)))).toEqual([]);
  });

  test('keeps plain JSON in its context', () => {
    for (const { graph } of graphs) {
      for (const { snapshot } of graph.nodes) {
        expect(JSON.parse(JSON.stringify(snapshot.context))).toEqual(snapshot.context);
      }
    }
  });
});
