import { describe, expect, test } from 'vitest';
import { explore } from '../../machines/paths/explore.ts';
import { getTransitionName, getTransitions } from '../../machines/paths/transitions.ts';
import { findNonPlain } from '../../machines/paths/purity-values.ts';
import { seededRandom, walkRandomly } from '../../machines/paths/walk.ts';
import { models } from '../../tools/path-models/models.ts';
import { lampCases, lampMachine } from './sample-machine.ts';

const seeds = Array.from({ length: 20 }, (_, seed) => seed);

describe('chance', () => {
  test('is the same for the same seed, and different for another', () => {
    const drawn = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
    expect(drawn(7)).toEqual(drawn(7));
    expect(new Set(seeds.map((seed) => drawn(seed).join())).size).toBe(seeds.length);
  });

  test('is uniform, from 0 up to 1', () => {
    const chance = seededRandom(1);
    const tenths = Array<number>(10).fill(0);
    for (let drawn = 0; drawn < 10_000; drawn += 1) {
      const tenth = Math.floor(chance() * 10);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    expect(tenths.every((count) => count > 850 && count < 1150)).toBe(true);
  });
});

describe('on the lamp', () => {
  const lamp = (options: { seed: number; length?: number; stop?: (edge: { event: { type: string } }) => boolean }) =>
    walkRandomly(lampMachine, { length: 10, cases: lampCases, ...options });
  const pressed = (edges: ReturnType<typeof walkRandomly>) => edges.map(({ event }) => event.type);

  test('each step continues from the previous one and fires its transitions', () => {
    const edges = lamp({ seed: 3 });
    expect(edges[0]?.from.snapshot.value).toBe('dark');
    for (const [at, { from, fired, exact }] of edges.entries()) {
      if (at > 0) expect(from).toBe(edges[at - 1]?.to);
      expect([fired.length > 0, exact]).toEqual([true, true]);
    }
  });

  test('seeds find both paths to the end, and none goes beyond it', () => {
    const ways = new Set(seeds.map((seed) => pressed(lamp({ seed })).join(' ')));
    expect([...ways].toSorted()).toEqual(['lit dimmed lit dimmed', 'lit dimmed lit smashed', 'lit smashed']);
  });

  test('a walk ends at its length', () => {
    const seed = seeds.find((each) => lamp({ seed: each }).length === 4) ?? -1;
    expect(pressed(lamp({ seed, length: 3 }))).toEqual(pressed(lamp({ seed })).slice(0, 3));
  });

  test('a walk ends after its stop step', () => {
    for (const seed of seeds) {
      const edges = lamp({ seed, stop: ({ event }) => event.type === 'dimmed' });
      expect(['lit dimmed', 'lit smashed']).toContain(pressed(edges).join(' '));
    }
  });

  test('walks reach contexts that the graph has no snapshot of', () => {
    const inGraph = explore(lampMachine, { cases: lampCases }).nodes.map(({ snapshot: { value, context } }) => ({
      value,
      context,
    }));
    const met = seeds.flatMap((seed) =>
      lamp({ seed }).map(({ to }) => ({ value: to.snapshot.value, context: to.snapshot.context })),
    );
    const lastLight = { value: 'bright', context: { oil: 0 } };
    expect(met).toContainEqual(lastLight);
    expect(inGraph).not.toContainEqual(lastLight);
  });
});

describe.each(models)('on $name', (model) => {
  const walks = seeds.map((seed) => walkRandomly(model.machine, { ...model, seed, length: 40 }));

  test('every step is one of its transitions and leaves plain JSON', () => {
    const known = new Set(getTransitions(model.machine).map(getTransitionName));
    for (const { to, fired } of walks.flat()) {
      expect(fired.map(getTransitionName).filter((name) => !known.has(name))).toEqual([]);
      expect(findNonPlain(to.snapshot.context)).toEqual([]);
    }
  });

  test('a seed reproduces its walk', () => {
    const [first = []] = walks;
    const again = walkRandomly(model.machine, { ...model, seed: 0, length: 40 });
    const told = (edges: typeof first) =>
      edges.map(
        ({ event, to, fired }) => [event, fired.map(getTransitionName), to.snapshot.value, to.snapshot.context] as unknown[],
      );
    expect(told(again)).toEqual(told(first));
  });

  test('seeds take different walks, if there are any', () => {
    const ways = new Set(walks.map((edges) => JSON.stringify(edges.map(({ event }) => event))));
    const branches = explore(model.machine, model).nodes.some(
      ({ out }) => out.filter(({ fired }) => fired.length > 0).length > 1,
    );
    expect(ways.size > 1).toBe(branches);
  });
});
