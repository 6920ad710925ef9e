import { setup, type AnyStateMachine } from 'xstate';
import { describe, expect, test } from 'vitest';
import { explore } from '../../machines/paths/explore.ts';
import { findUnevenParts } from '../../machines/paths/parts-of-context.ts';
import { getAllStateNodes } from '../../machines/paths/transitions.ts';
import { findUncaughtRequests } from '../../machines/paths/waiting.ts';
import { markOpenEnded, requestPort, safePort } from '../../machines/ports.ts';
import { formatCounterexample } from '../../tools/paths/counterexample.ts';
import { modelsByMachine } from '../../tools/path-models/models.ts';
import { checkModel, rulesByMachine } from '../../tools/path-models/rules.ts';
import { findUntakenEvents } from '../../tools/path-models/untaken-events.ts';

describe.each([...modelsByMachine])('%s', (_, starts) => {
  test('keeps every rule on every path', () => {
    const found = starts.flatMap((model, at) => checkModel(model).map((each) => formatCounterexample(model, at, each)));
    expect(found.join('\n\n')).toBe('');
  }, 120_000);

  test('accepts every event that its description names', () => {
    const graphs = starts.map((model) => explore(model.machine, { ...model, perKind: 1 }));
    expect(starts[0] && findUntakenEvents(starts[0].description, graphs)).toEqual([]);
  }, 120_000);

  test('has every part of its context from the start, with values of one kind', () => {
    expect(findUnevenParts(starts.map((model) => explore(model.machine, { ...model, perKind: 1 })))).toEqual([]);
  }, 120_000);

  test('continues after any rejection of its ports', () => {
    expect(starts.slice(0, 1).flatMap(({ machine }) => findUncaughtRequests(getAllStateNodes(machine)))).toEqual([]);
  });
});

test('a port that may reject and is not caught is found; one that cannot is not', () => {
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

  test('refers to existing machines and states', () => {
    const said = machines.flatMap(({ name, pii, externalExits, pressable }) => [
      name,
      ...[pii, externalExits, pressable].flatMap((states) => Object.keys(states)),
    ]);
    const known = [...modelsByMachine].flatMap(([name, [start]]) => [
      name,
      ...(start ? getAllStateNodes(start.machine).map(({ id }) => id) : []),
    ]);
    expect(said.filter((each) => !known.includes(each))).toEqual([]);
  });

  test('links that lead away are those in the states’ descriptions', () => {
    for (const { name, externalExits } of machines) {
      const states = modelsByMachine.get(name)?.[0]?.description.states ?? {};
      for (const [id, how] of Object.entries(externalExits)) {
        for (const [link] of how.matchAll(/“[^”]+”/g)) expect(states[id]).toContain(link);
      }
    }
  });
});
