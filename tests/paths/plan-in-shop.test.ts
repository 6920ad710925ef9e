import { describe, expect, test } from 'vitest';
import { createDocument } from '../../tools/paths/document.ts';
import type { PlanStep } from '../../tools/paths/plan-document.ts';
import { exploreModelsInShop } from '../../tools/paths/in-shop.ts';
import { modelsByMachine } from '../../tools/path-models/models.ts';

const options = { criterion: 'transitions', walks: null, stop: null, maxLength: 25, format: 'md', out: null } as const;

const starts = new Map(
  await Promise.all([...modelsByMachine.keys()].map(async (name) => [name, await exploreModelsInShop(name)] as const)),
);
const documentOfFlow = (name: string) => createDocument(name, starts.get(name) ?? [], options, modelsByMachine.get(name));

const stepTexts = ({ does, sees }: PlanStep): string[] => [does, ...sees];

describe.each([...modelsByMachine.keys()])('the plan of %s, as a tester walks it', (name) => {
  const { tests, uncovered, beyondShop } = documentOfFlow(name);

  test('takes every transition, since the shop makes all of them possible', () => {
    expect({ uncovered, beyondShop }).toEqual({ uncovered: [], beyondShop: [] });
  });

  test('describes each action and each result', () => {
    const unsaid = tests
      .flatMap(({ steps }) => steps)
      .filter((step) => step.sees.length === 0 || /`/.test(stepTexts(step).join()));
    expect(unsaid).toEqual([]);
  });

  test('has as many starts as it names', () => {
    const given = (starts.get(name) ?? []).map(({ model }) => model.given);
    expect(given.filter((each, at) => given.indexOf(each) !== at)).toEqual([]);
  });

  test('has no test that ends while a call is pending', () => {
    expect(tests.flatMap(({ number, waits }) => waits.map((each) => `test ${number}: ${each}`))).toEqual([]);
  });
});

test('a payment has no step after the browser has left for the gateway', () => {
  const leavings = documentOfFlow('payment').tests.map(({ steps }) =>
    steps.findIndex(({ sees }) => sees.join().includes('leaves for the gateway')),
  );
  expect(leavings.filter((at) => at >= 0).length).toBeGreaterThan(1);
  for (const [at, { steps }] of documentOfFlow('payment').tests.entries()) expect([-1, steps.length - 1]).toContain(leavings[at]);
});

test('transitions that only the machine can take alone are named, and are no failure', () => {
  const { uncovered, beyondShop } = createDocument(
    'viewer',
    starts.get('viewer') ?? [],
    { ...options, criterion: 'guards' },
    modelsByMachine.get('viewer'),
  );
  expect(uncovered).toEqual([]);
  expect(beyondShop).toContain('viewer.reading buy.pressed is false');
});
