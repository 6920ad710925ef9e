import { setup, type AnyStateMachine } from 'xstate';
import { describe, expect, test } from 'vitest';
import { explore } from '../../machines/paths/explore.ts';
import { findUnevenParts } from '../../machines/paths/parts-of-context.ts';
import { getAllStateNodes } from '../../machines/paths/transitions.ts';
import { findUncaughtRequests } from '../../machines/paths/pending-activities.ts';
import { markOpenEnded, requestPort, safePort } from '../../machines/ports.ts';
import { formatCounterexample } from '../../tools/paths/counterexample.ts';
import { modelsByMachine } from '../../tools/path-models/models.ts';
import { checkModel, rulesByMachine } from '../../tools/path-models/rules.ts';
import { findUntakenEvents } from '../../tools/path-models/untaken-events.ts';

describe.each([...modelsByMachine])('%s', (_, starts) => {
  test('every rule holds on every path', () => {
    const counterexamples = starts.flatMap((model, index) =>
      checkModel(model).map((each) => formatCounterexample(model, index, each)),
    );
    expect(counterexamples.join('\n\n')).toBe('');
  }, 120_000);

  test('every event in the description is accepted', () => {
    const graphs = starts.map((model) => explore(model.machine, { ...model, perKind: 1 }));
    expect(starts[0] && findUntakenEvents(starts[0].description, graphs)).toEqual([]);
  }, 120_000);

  test('every key of the context exists from the start, with values of one type', () => {
    expect(findUnevenParts(starts.map((model) => explore(model.machine, { ...model, perKind: 1 })))).toEqual([]);
  }, 120_000);

  test('every rejection of a port is handled', () => {
    expect(starts.slice(0, 1).flatMap(({ machine }) => findUncaughtRequests(getAllStateNodes(machine)))).toEqual([]);
  });
});

test('a port that may reject is found if it has no onError; a safe port is not', () => {
  const actors = { load: requestPort<null>(), print: markOpenEnded(requestPort<null>()), forget: safePort<null>() };
  const machine: AnyStateMachine = setup({ actors }).createMachine({
    id: 'desk',
    initial: 'loading',
    states: {
      loading: { invoke: { id: 'load', src: 'load', onDone: 'caught' } },
      caught: { invoke: { id: 'loadAgain', src: 'load', onError: 'printing' } },
      printing: { invoke: { id: 'print', src: 'print' } },
      forgetting: { invoke: { id: 'forget', src: 'forget' } },
    },
  });
  expect(findUncaughtRequests(getAllStateNodes(machine))).toEqual(['desk.loading load', 'desk.printing print']);
});

describe('the declarations about machines', () => {
  const machines = [...rulesByMachine].map(([name, { pii = {}, externalExits = {}, pressable = {} }]) => ({
    name,
    pii,
    externalExits,
    pressable,
  }));

  test('the declarations name existing machines and states', () => {
    const declaredNames = machines.flatMap(({ name, pii, externalExits, pressable }) => [
      name,
      ...[pii, externalExits, pressable].flatMap((states) => Object.keys(states)),
    ]);
    const existingNames = [...modelsByMachine].flatMap(([name, [start]]) => [
      name,
      ...(start ? getAllStateNodes(start.machine).map(({ id }) => id) : []),
    ]);
    expect(declaredNames.filter((each) => !existingNames.includes(each))).toEqual([]);
  });

  test('links that lead out of the app are in the descriptions of their states', () => {
    for (const { name, externalExits } of machines) {
      const states = modelsByMachine.get(name)?.[0]?.description.states ?? {};
      for (const [id, exitText] of Object.entries(externalExits)) {
        for (const [link] of exitText.matchAll(/“[^”]+”/g)) expect(states[id]).toContain(link);
      }
    }
  });
});
