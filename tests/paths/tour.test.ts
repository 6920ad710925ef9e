import { describe, expect, test } from 'vitest';
import { coverageOf } from '../../machines/paths/coverage.ts';
import { explore, type Edge } from '../../machines/paths/explore.ts';
import { criteria, toursOf, type Criterion } from '../../machines/paths/tour.ts';
import { lampCases, lampMachine, lampTransitions } from './sample-machine.ts';

/** Every amount of oil is a kind of its own, so that every way of the lamp is in the graph. */
const graph = explore(lampMachine, { cases: lampCases, kind: ({ value, context }): unknown => [value, context] });

const goalsIn = (tours: Edge[][], criterion: Criterion): string[] =>
  [...new Set(tours.flatMap((tour) => tour.flatMap((edge, at) => criteria[criterion](edge, tour[at - 1] ?? null))))].toSorted();

const pressed = (tours: Edge[][]): string[][] => tours.map((tour) => tour.map(({ event }) => event.type));

const known: Record<Criterion, string[]> = {
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

describe.each(Object.keys(known) as Criterion[])('by %s', (criterion) => {
  const { tours, missed } = toursOf(graph, criteria[criterion]);

  test('tours reach all there is', () => {
    expect({ reached: goalsIn(tours, criterion), missed }).toEqual({ reached: known[criterion], missed: [] });
  });

  test('each tour starts at the start and each step goes on from the one before', () => {
    for (const tour of tours) {
      expect(tour[0]?.from).toBe(graph.start);
      for (const [at, edge] of tour.entries()) if (at > 0) expect(edge.from).toBe(tour[at - 1]?.to);
    }
  });
});

test('tours are as few and as short as the greedy search makes them', () => {
  expect(pressed(toursOf(graph).tours)).toEqual([
    ['lit', 'dimmed', 'lit', 'dimmed'],
    ['lit', 'smashed'],
  ]);
});

test('a tour ends before it gets longer than its limit, if its first goal lies that near', () => {
  expect(pressed(toursOf(graph, criteria.transitions, 2).tours)).toEqual([
    ['lit', 'dimmed'],
    ['lit', 'smashed'],
    ['lit', 'dimmed', 'lit', 'dimmed'],
  ]);
});

test('every tour ends at a stop, and what lies behind it or leads to none is named', () => {
  const { tours, missed } = toursOf(graph, criteria.transitions, Infinity, ({ event }) => event.type === 'dimmed');
  expect(pressed(tours)).toEqual([['lit', 'dimmed']]);
  expect(missed).toEqual(['lamp.bright smashed', 'lamp.dark always']);
});

describe('what no path covers is named', () => {
  const coverage = coverageOf(lampMachine, [explore(lampMachine, { cases: { lit: [{ wick: false }] } })]);

  test('transitions', () => {
    expect(coverage.transitions).toEqual({ covered: 0, total: 4, uncovered: lampTransitions });
  });

  test('states', () => {
    expect(coverage.states).toEqual({ covered: 2, total: 5, uncovered: ['lamp.bright', 'lamp.empty', 'lamp.broken'] });
  });

  test('guards', () => {
    expect(coverage.guards.uncovered).toEqual(['lamp.dark lit is true', 'lamp.dark always is true']);
  });
});
