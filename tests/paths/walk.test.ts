import { describe, expect, test } from 'vitest';
import { explore } from '../../machines/paths/explore.ts';
import { getTransitionName, getTransitions } from '../../machines/paths/transitions.ts';
import { findNonPlain } from '../../machines/paths/purity-values.ts';
import { seededRandom, walkRandomly } from '../../machines/paths/walk.ts';
import { models } from '../../tools/path-models/models.ts';
import { lampCases, lampMachine } from './sample-machine.ts';

const seeds = Array.from({ length: 20 }, (_, seed) => seed);

describe('seeded random numbers', () => {
  test('random numbers are the same for the same seed, and different for another', () => {
    const drawNumbers = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
    expect(drawNumbers(7)).toEqual(drawNumbers(7));
    expect(new Set(seeds.map((seed) => drawNumbers(seed).join())).size).toBe(seeds.length);
  });

  test('random numbers are uniform, from 0 up to 1', () => {
    const random = seededRandom(1);
    const tenths = Array<number>(10).fill(0);
    for (let count = 0; count < 10_000; count += 1) {
      const tenth = Math.floor(random() * 10);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    expect(tenths.every((count) => count > 850 && count < 1150)).toBe(true);
  });
});

describe('on the lamp', () => {
  const walkLamp = (options: { seed: number; length?: number; stop?: (edge: { event: { type: string } }) => boolean }) =>
    walkRandomly(lampMachine, { length: 10, cases: lampCases, ...options });
  const listEventTypes = (edges: ReturnType<typeof walkRandomly>) => edges.map(({ event }) => event.type);

  test('each step continues from the previous one and fires its transitions', () => {
    const edges = walkLamp({ seed: 3 });
    expect(edges[0]?.from.snapshot.value).toBe('dark');
    for (const [index, { from, fired, exact }] of edges.entries()) {
      if (index > 0) expect(from).toBe(edges[index - 1]?.to);
      expect([fired.length > 0, exact]).toEqual([true, true]);
    }
  });

  test('twenty seeds find all three paths of the lamp', () => {
    const distinctWalks = new Set(seeds.map((seed) => listEventTypes(walkLamp({ seed })).join(' ')));
    expect([...distinctWalks].toSorted()).toEqual(['lit dimmed lit dimmed', 'lit dimmed lit smashed', 'lit smashed']);
  });

  test('a walk ends at its maximum length', () => {
    const seed = seeds.find((each) => walkLamp({ seed: each }).length === 4) ?? -1;
    expect(listEventTypes(walkLamp({ seed, length: 3 }))).toEqual(listEventTypes(walkLamp({ seed })).slice(0, 3));
  });

  test('a walk ends after its stop step', () => {
    for (const seed of seeds) {
      const edges = walkLamp({ seed, stop: ({ event }) => event.type === 'dimmed' });
      expect(['lit dimmed', 'lit smashed']).toContain(listEventTypes(edges).join(' '));
    }
  });

  test('walks reach contexts that no snapshot of the graph has', () => {
    const graphSnapshots = explore(lampMachine, { cases: lampCases }).nodes.map(({ snapshot: { value, context } }) => ({
      value,
      context,
    }));
    const reachedSnapshots = seeds.flatMap((seed) =>
      walkLamp({ seed }).map(({ to }) => ({ value: to.snapshot.value, context: to.snapshot.context })),
    );
    const lastLight = { value: 'bright', context: { oil: 0 } };
    expect(reachedSnapshots).toContainEqual(lastLight);
    expect(graphSnapshots).not.toContainEqual(lastLight);
  });
});

describe.each(models)('on $name', (model) => {
  const walks = seeds.map((seed) => walkRandomly(model.machine, { ...model, seed, length: 40 }));

  test('every step fires transitions of the machine and leaves plain JSON', () => {
    const transitionNames = new Set(getTransitions(model.machine).map(getTransitionName));
    for (const { to, fired } of walks.flat()) {
      expect(fired.map(getTransitionName).filter((name) => !transitionNames.has(name))).toEqual([]);
      expect(findNonPlain(to.snapshot.context)).toEqual([]);
    }
  });

  test('a seed reproduces its walk', () => {
    const [first = []] = walks;
    const repeatedWalk = walkRandomly(model.machine, { ...model, seed: 0, length: 40 });
    const summarizeSteps = (edges: typeof first) =>
      edges.map(
        ({ event, to, fired }) => [event, fired.map(getTransitionName), to.snapshot.value, to.snapshot.context] as unknown[],
      );
    expect(summarizeSteps(repeatedWalk)).toEqual(summarizeSteps(first));
  });

  test('seeds take different walks if the machine has branches', () => {
    const distinctWalks = new Set(walks.map((edges) => JSON.stringify(edges.map(({ event }) => event))));
    const hasBranches = explore(model.machine, model).nodes.some(
      ({ out }) => out.filter(({ fired }) => fired.length > 0).length > 1,
    );
    expect(distinctWalks.size > 1).toBe(hasBranches);
  });
});
