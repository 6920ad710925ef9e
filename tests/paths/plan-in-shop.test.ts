import { describe, expect, test } from 'vitest';
import { createDocument } from '../../tools/paths/document.ts';
import type { PlanStep } from '../../tools/paths/plan-document.ts';
import { exploreModelsInShop } from '../../tools/paths/in-shop.ts';
import { modelsByMachine } from '../../tools/path-models/models.ts';

const options = { criterion: 'transitions', walks: null, stop: null, maxLength: 25, format: 'md', out: null } as const;

const starts = new Map(
  await Promise.all([...modelsByMachine.keys()].map(async (name) => [name, await exploreModelsInShop(name)] as const)),
);
const createPlanDocument = (name: string) => createDocument(name, starts.get(name) ?? [], options, modelsByMachine.get(name));

const listStepTexts = ({ does, sees }: PlanStep): string[] => [does, ...sees];

describe.each([...modelsByMachine.keys()])('the plan of %s, as a tester walks it', (name) => {
  const { tests, uncovered, beyondShop } = createPlanDocument(name);

  test('every transition is taken, since the shop makes all of them possible', () => {
    expect({ uncovered, beyondShop }).toEqual({ uncovered: [], beyondShop: [] });
  });

  test('each action and each result is described', () => {
    const undescribedSteps = tests
      .flatMap(({ steps }) => steps)
      .filter((step) => step.sees.length === 0 || /`/.test(listStepTexts(step).join()));
    expect(undescribedSteps).toEqual([]);
  });

  test('each start has its own text', () => {
    const startTexts = (starts.get(name) ?? []).map(({ model }) => model.startInstruction);
    expect(startTexts.filter((each, index) => startTexts.indexOf(each) !== index)).toEqual([]);
  });

  test('no test ends while a call is pending', () => {
    expect(tests.flatMap(({ number, waits }) => waits.map((each) => `test ${number}: ${each}`))).toEqual([]);
  });
});

test('a payment has no step after the browser has left for the gateway', () => {
  const leaveIndexes = createPlanDocument('payment').tests.map(({ steps }) =>
    steps.findIndex(({ sees }) => sees.join().includes('leaves for the gateway')),
  );
  expect(leaveIndexes.filter((index) => index >= 0).length).toBeGreaterThan(1);
  for (const [index, { steps }] of createPlanDocument('payment').tests.entries())
    expect([-1, steps.length - 1]).toContain(leaveIndexes[index]);
});

test('outcomes that are impossible in the shop are listed as beyond the shop, not as uncovered', () => {
  const { uncovered, beyondShop } = createDocument(
    'viewer',
    starts.get('viewer') ?? [],
    { ...options, criterion: 'guards' },
    modelsByMachine.get('viewer'),
  );
  expect(uncovered).toEqual([]);
  expect(beyondShop).toContain('viewer.reading buy.pressed is false');
});
