import { describe, expect, test } from 'vitest';
import { documentOf } from '../../tools/paths/document.ts';
import type { PlanStep } from '../../tools/paths/plan-document.ts';
import { startsInShop } from '../../tools/paths/in-shop.ts';
import { startsOf } from '../../tools/path-models/models.ts';

const options = { criterion: 'transitions', walks: null, stop: null, maxLength: 25, format: 'md', out: null } as const;

const starts = new Map(await Promise.all([...startsOf.keys()].map(async (name) => [name, await startsInShop(name)] as const)));
const planOf = (name: string) => documentOf(name, starts.get(name) ?? [], options, startsOf.get(name));

const textsOf = ({ does, sees }: PlanStep): string[] => [does, ...sees];

describe.each([...startsOf.keys()])('the plan of %s, as a tester walks it', (name) => {
  const { tests, uncovered, beyondShop } = planOf(name);

  test('takes every transition that the shop lets happen, which are all', () => {
    expect({ uncovered, beyondShop }).toEqual({ uncovered: [], beyondShop: [] });
  });

  test('says in words what is done and what is seen', () => {
    const unsaid = tests.flatMap(({ steps }) => steps).filter((step) => step.sees.length === 0 || /`/.test(textsOf(step).join()));
    expect(unsaid).toEqual([]);
  });

  test('begins in as many ways as it names', () => {
    const given = (starts.get(name) ?? []).map(({ model }) => model.given);
    expect(given.filter((each, at) => given.indexOf(each) !== at)).toEqual([]);
  });

  test('has no test that ends while something is waited for', () => {
    expect(tests.flatMap(({ number, waits }) => waits.map((each) => `test ${number}: ${each}`))).toEqual([]);
  });
});

test('a payment has no step after the browser has left for the gateway', () => {
  const leavings = planOf('payment').tests.map(({ steps }) =>
    steps.findIndex(({ sees }) => sees.join().includes('leaves for the gateway')),
  );
  expect(leavings.filter((at) => at >= 0).length).toBeGreaterThan(1);
  for (const [at, { steps }] of planOf('payment').tests.entries()) expect([-1, steps.length - 1]).toContain(leavings[at]);
});

test('what only the machine alone can do is named, and no reason to fail', () => {
  const { uncovered, beyondShop } = documentOf(
    'viewer',
    starts.get('viewer') ?? [],
    { ...options, criterion: 'guards' },
    startsOf.get('viewer'),
  );
  expect(uncovered).toEqual([]);
  expect(beyondShop).toContain('viewer.reading buy.pressed is false');
});
