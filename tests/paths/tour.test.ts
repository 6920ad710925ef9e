import { describe, expect, test } from 'vitest';
import { getCoverage } from '../../machines/paths/coverage.ts';
import { explore, type Edge } from '../../machines/paths/explore.ts';
import { criteria, generateTours, type Criterion } from '../../machines/paths/tour.ts';
import { lampCases, lampMachine, lampTransitions } from './sample-machine.ts';

/** Every amount of oil is a kind of its own, so that the graph has every path of the lamp. */
const graph = explore(lampMachine, { cases: lampCases, kind: ({ value, context }): unknown => [value, context] });

const findGoals = (tours: Edge[][], criterion: Criterion): string[] =>
  [
    ...new Set(tours.flatMap((tour) => tour.flatMap((edge, index) => criteria[criterion](edge, tour[index - 1] ?? null)))),
  ].toSorted();

const listEventTypes = (tours: Edge[][]): string[][] => tours.map((tour) => tour.map(({ event }) => event.type));

const expectedGoals: Record<Criterion, string[]> = {
  states: ['lamp', 'lamp.bright', 'lamp.broken', 'lamp.dark', 'lamp.empty'],
  transitions: lampTransitions.toSorted(),
  guards: ['lamp.dark always is false', 'lamp.dark always is true', 'lamp.dark lit is false', 'lamp.dark lit is true'],
  pairs: [
    'lamp.bright dimmed > lamp.dark lit',
    'lamp.dark lit > lamp.bright dimmed',
    // The lamp runs empty in the same step in which it is dimmed for the second time.
    'lamp.dark lit > lamp.bright smashed',
    'lamp.dark lit > lamp.dark always',
  ],
};

describe.each(Object.keys(expectedGoals) as Criterion[])('by %s', (criterion) => {
  const { tours, missed } = generateTours(graph, criteria[criterion]);

  test('walks reach every goal', () => {
    expect({ reached: findGoals(tours, criterion), missed }).toEqual({ reached: expectedGoals[criterion], missed: [] });
  });

  test('each walk begins at the start and each step continues from the previous one', () => {
    for (const tour of tours) {
      expect(tour[0]?.from).toBe(graph.start);
      for (const [index, edge] of tour.entries()) if (index > 0) expect(edge.from).toBe(tour[index - 1]?.to);
    }
  });
});

test('two walks take every transition of the lamp', () => {
  expect(listEventTypes(generateTours(graph).tours)).toEqual([
    ['lit', 'dimmed', 'lit', 'dimmed'],
    ['lit', 'smashed'],
  ]);
});

test('a walk exceeds its limit only to reach its first goal', () => {
  expect(listEventTypes(generateTours(graph, criteria.transitions, 2).tours)).toEqual([
    ['lit', 'dimmed'],
    ['lit', 'smashed'],
    ['lit', 'dimmed', 'lit', 'dimmed'],
  ]);
});

test('every walk ends at a stop; goals behind a stop, or leading to none, are missed', () => {
  const { tours, missed } = generateTours(graph, criteria.transitions, Infinity, ({ event }) => event.type === 'dimmed');
  expect(listEventTypes(tours)).toEqual([['lit', 'dimmed']]);
  expect(missed).toEqual(['lamp.bright smashed', 'lamp.dark always']);
});

describe('goals that no path covers are named', () => {
  const coverage = getCoverage(lampMachine, [explore(lampMachine, { cases: { lit: [{ wick: false }] } })]);

  test('uncovered transitions are named', () => {
    expect(coverage.transitions).toEqual({ covered: 0, total: 4, uncovered: lampTransitions });
  });

  test('uncovered states are named', () => {
    expect(coverage.states).toEqual({ covered: 2, total: 5, uncovered: ['lamp.bright', 'lamp.empty', 'lamp.broken'] });
  });

  test('uncovered outcomes of guards are named', () => {
    expect(coverage.guards.uncovered).toEqual(['lamp.dark lit is true', 'lamp.dark always is true']);
  });
});
