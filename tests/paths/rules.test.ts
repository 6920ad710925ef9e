import { setup, type AnyStateMachine } from 'xstate';
import { describe, expect, test } from 'vitest';
import { explore } from '../../machines/paths/explore.ts';
import { unevenParts } from '../../machines/paths/parts-of-context.ts';
import { stateNodesOf } from '../../machines/paths/transitions.ts';
import { uncaughtIn } from '../../machines/paths/waiting.ts';
import { openEnded, requestPort, safePort } from '../../machines/ports.ts';
import { counterexampleText } from '../../tools/paths/counterexample.ts';
import { startsOf } from '../../tools/path-models/models.ts';
import { checkModel, rulesByMachine } from '../../tools/path-models/rules.ts';
import { untakenEvents } from '../../tools/path-models/untaken-events.ts';

describe.each([...startsOf])('%s', (_, starts) => {
  test('keeps every rule on every path', () => {
    const found = starts.flatMap((model, at) => checkModel(model).map((each) => counterexampleText(model, at, each)));
    expect(found.join('\n\n')).toBe('');
  }, 120_000);

  test('takes every event that its description names', () => {
    const graphs = starts.map((model) => explore(model.machine, { ...model, perKind: 1 }));
    expect(starts[0] && untakenEvents(starts[0].description, graphs)).toEqual([]);
  }, 120_000);

  test('has every part of its context from the start, with values of one kind', () => {
    expect(unevenParts(starts.map((model) => explore(model.machine, { ...model, perKind: 1 })))).toEqual([]);
  }, 120_000);

  test('goes on whatever its ports reject with', () => {
    expect(starts.slice(0, 1).flatMap(({ machine }) => uncaughtIn(stateNodesOf(machine)))).toEqual([]);
  });
});

test('a port that may reject and is not caught is found; one that cannot is not', () => {
  const actors = { load: requestPort<null>(), print: openEnded(requestPort<null>()), forget: safePort<null>() };
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
  expect(uncaughtIn(stateNodesOf(machine))).toEqual(['desk.loading load', 'desk.printing print']);
});

describe('what machines say of themselves', () => {
  const machines = [...rulesByMachine].map(([name, { pii = {}, ledOn = {}, pressable = {} }]) => ({
    name,
    pii,
    ledOn,
    pressable,
  }));

  test('is said of machines and states that are there', () => {
    const said = machines.flatMap(({ name, pii, ledOn, pressable }) => [
      name,
      ...[pii, ledOn, pressable].flatMap((states) => Object.keys(states)),
    ]);
    const known = [...startsOf].flatMap(([name, [start]]) => [
      name,
      ...(start ? stateNodesOf(start.machine).map(({ id }) => id) : []),
    ]);
    expect(said.filter((each) => !known.includes(each))).toEqual([]);
  });

  test('links that lead on are those that the states’ descriptions show', () => {
    for (const { name, ledOn } of machines) {
      const states = startsOf.get(name)?.[0]?.description.states ?? {};
      for (const [id, how] of Object.entries(ledOn)) {
        for (const [link] of how.matchAll(/“[^”]+”/g)) expect(states[id]).toContain(link);
      }
    }
  });
});
