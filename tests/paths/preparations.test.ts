import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { Problem } from '../../machines/model/problem.ts';
import { readJsonResponse } from '../../src/client/wire/json.ts';
import { readXmlResponse } from '../../src/client/wire/xml-response.ts';
import { createDocument } from '../../tools/paths/document.ts';
import type { PreparationTask, PlanTest } from '../../tools/paths/plan-document.ts';
import { exploreModelsInShop } from '../../tools/paths/in-shop.ts';
import { createFailureBody } from '../../tools/paths/preparations.ts';
import { modelsByMachine } from '../../tools/path-models/models.ts';

const options = { walks: null, stop: null, maxLength: 25, format: 'md', out: null } as const;
const documentOfFlow = async (name: string) =>
  createDocument(name, await exploreModelsInShop(name), { ...options, criterion: 'transitions' });

const orderTexts = (orders: readonly PreparationTask[]): string[] => orders.map(({ does }) => does);
const listOrders = ({ before, steps }: PlanTest): string[][] => [before, ...steps.map((step) => step.before)].map(orderTexts);

describe('redeeming', async () => {
  const { tests } = await documentOfFlow('redeem');

  test('a code is named where it is typed, or before the address is opened, not where the answer arrives', () => {
    const named = tests.flatMap((each) =>
      listOrders(each).flatMap((orders, at) => (orders.join().includes('DEMO-') ? [{ each, at }] : [])),
    );
    expect(named.length).toBeGreaterThan(5);
    for (const { each, at } of named)
      expect(['start', 'code.submitted']).toContain(at === 0 ? 'start' : each.steps[at - 1]?.event.type);
  });

  test('a call is blocked before it is made, and unblocked before it is answered', () => {
    const failed = tests.flatMap(({ before, steps }) =>
      steps.flatMap(({ event, number }) =>
        event.type === 'xstate.error.actor.redeem' && (event['error'] as Problem).kind === 'offline'
          ? [{ before, steps, number }]
          : [],
      ),
    );
    expect(failed.length).toBeGreaterThan(0);
    for (const { before, steps, number } of failed) {
      const earlier = orderTexts([before, ...steps.slice(0, number).map((step) => step.before)].flat());
      expect(earlier.filter((each) => each.startsWith('Block `redeem/title`')).length).toBeGreaterThan(0);
      const next = steps.slice(number).find(({ event }) => event.type.endsWith('.actor.redeem'));
      if (!next || next.event.type.startsWith('xstate.error.')) continue;
      const later = steps.slice(number, next.number).flatMap((step) => orderTexts(step.before));
      expect(later.filter((each) => each.startsWith('Unblock `redeem/title`'))).toHaveLength(1);
    }
  });

  test('an answer of the server can be overridden', () => {
    const given = tests.flatMap(({ steps }) => steps).filter(({ event }) => event.type === 'xstate.done.actor.lookUp');
    expect(given.length).toBeGreaterThan(5);
    for (const { answers } of given)
      expect(answers).toEqual([{ call: 'redeem/apply', body: expect.stringContaining('<Redemption>') }]);
  });

  test('a state that may be too short to see says so', () => {
    const keeping = tests.flatMap(({ steps }) => steps).filter(({ states }) => states.includes('redeem.keeping'));
    expect(keeping.length).toBeGreaterThan(0);
    for (const { sees } of keeping) expect(sees.join()).toContain('For a moment: The button says “Checking…”');
  });
});

test('languages switch to French and back, and the plan says which of them its texts are in', async () => {
  const { tests } = await documentOfFlow('campaign');
  const chosen = tests.map(({ steps }) => steps.filter(({ event }) => event.type === 'language.changed'));
  expect(chosen.flat().length).toBeGreaterThan(0);
  for (const steps of chosen) {
    expect(steps.map(({ does }) => /“(Français|English)”/.exec(does)?.[1])).toEqual(
      steps.map((_, at) => (at % 2 === 0 ? 'Français' : 'English')),
    );
    for (const { by } of steps) expect(by).toBe('you');
  }
});

const failures: Exclude<Problem, { kind: 'offline' | 'timeout' }>[] = [
  { kind: 'unauthorized' },
  { kind: 'invalidStore' },
  { kind: 'http', status: 503, message: 'HTTP Error: 503' },
  { kind: 'refused', code: 'price_changed', message: '' },
  { kind: 'refused', code: 'not_found', message: '' },
];

test.each(failures)('an overriding answer is read as the failure that it represents: %j', async (problem) => {
  const api = { runCall: <Value>(_: string, run: () => Promise<Value>) => run() };
  const sending = () => Promise.resolve({ response: new Response(createFailureBody(problem)) });
  await expect(readXmlResponse(api, 'a call', sending(), 'campaign')).rejects.toMatchObject(problem);
  await expect(readJsonResponse(api, 'a call', sending(), v.object({}))).rejects.toMatchObject(problem);
});

test('quoted texts of the screen are in the chosen language', async () => {
  const { tests } = await documentOfFlow('campaign');
  for (const { steps } of tests) {
    let isFrench = false;
    for (const { event, sees } of steps) {
      if (event.type === 'language.changed') isFrench = !isFrench;
      for (const text of sees.filter((each) => each.startsWith('A wait'))) {
        expect(text).toBe(isFrench ? 'A wait: “Chargement de l’offre…”.' : 'A wait: “Loading the offer…”.');
      }
    }
  }
});

test.each([...modelsByMachine.keys()])(
  '%s: an override with the answer of a step refers to a step with an answer',
  async (name) => {
    const { tests } = await documentOfFlow(name);
    for (const { number, before, steps } of tests) {
      for (const { does, step } of [before, ...steps.map((each) => each.before)].flat()) {
        if (!does.includes('with the answer of')) continue;
        expect(does).toContain(`with the answer of step ${step}`);
        expect(steps[step - 1]?.answers, `${name}, test ${number}, step ${step}: ${does}`).not.toEqual([]);
      }
    }
  },
);
