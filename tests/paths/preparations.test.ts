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
const createPlanDocument = async (name: string) =>
  createDocument(name, await exploreModelsInShop(name), { ...options, criterion: 'transitions' });

const listTexts = (tasks: readonly PreparationTask[]): string[] => tasks.map(({ does }) => does);
const listTasks = ({ before, steps }: PlanTest): string[][] => [before, ...steps.map((step) => step.before)].map(listTexts);

describe('redeeming', async () => {
  const { tests } = await createPlanDocument('redeem');

  test('a code is named before its URL is opened or the code is typed, not before the answer arrives', () => {
    const testsWithCode = tests.flatMap((each) =>
      listTasks(each).flatMap((tasks, index) => (tasks.join().includes('DEMO-') ? [{ each, index }] : [])),
    );
    expect(testsWithCode.length).toBeGreaterThan(5);
    for (const { each, index } of testsWithCode)
      expect(['start', 'code.submitted']).toContain(index === 0 ? 'start' : each.steps[index - 1]?.event.type);
  });

  test('a call is blocked before it is made, and unblocked before it is answered', () => {
    const failedCalls = tests.flatMap(({ before, steps }) =>
      steps.flatMap(({ event, number }) =>
        event.type === 'xstate.error.actor.redeem' && (event['error'] as Problem).kind === 'offline'
          ? [{ before, steps, number }]
          : [],
      ),
    );
    expect(failedCalls.length).toBeGreaterThan(0);
    for (const { before, steps, number } of failedCalls) {
      const earlierTexts = listTexts([before, ...steps.slice(0, number).map((step) => step.before)].flat());
      expect(earlierTexts.filter((each) => each.startsWith('Block `redeem/title`')).length).toBeGreaterThan(0);
      const nextAnswer = steps.slice(number).find(({ event }) => event.type.endsWith('.actor.redeem'));
      if (!nextAnswer || nextAnswer.event.type.startsWith('xstate.error.')) continue;
      const laterTexts = steps.slice(number, nextAnswer.number).flatMap((step) => listTexts(step.before));
      expect(laterTexts.filter((each) => each.startsWith('Unblock `redeem/title`'))).toHaveLength(1);
    }
  });

  test('an answer of the server can be overridden', () => {
    const lookUps = tests.flatMap(({ steps }) => steps).filter(({ event }) => event.type === 'xstate.done.actor.lookUp');
    expect(lookUps.length).toBeGreaterThan(5);
    for (const { answers } of lookUps)
      expect(answers).toEqual([{ call: 'redeem/apply', body: expect.stringContaining('<Redemption>') }]);
  });

  test('a state that may be too short to see is described as “For a moment”', () => {
    const keepingSteps = tests.flatMap(({ steps }) => steps).filter(({ states }) => states.includes('redeem.keeping'));
    expect(keepingSteps.length).toBeGreaterThan(0);
    for (const { sees } of keepingSteps) expect(sees.join()).toContain('For a moment: The button says “Checking…”');
  });
});

test('a tester switches the language to French, and the next time back to English', async () => {
  const { tests } = await createPlanDocument('campaign');
  const languageSteps = tests.map(({ steps }) => steps.filter(({ event }) => event.type === 'language.changed'));
  expect(languageSteps.flat().length).toBeGreaterThan(0);
  for (const steps of languageSteps) {
    expect(steps.map(({ does }) => /“(Français|English)”/.exec(does)?.[1])).toEqual(
      steps.map((_, index) => (index % 2 === 0 ? 'Français' : 'English')),
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
  const sendRequest = () => Promise.resolve({ response: new Response(createFailureBody(problem)) });
  await expect(readXmlResponse(api, 'a call', sendRequest(), 'campaign')).rejects.toMatchObject(problem);
  await expect(readJsonResponse(api, 'a call', sendRequest(), v.object({}))).rejects.toMatchObject(problem);
});

test('quoted texts of the screen are in the chosen language', async () => {
  const { tests } = await createPlanDocument('campaign');
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
    const { tests } = await createPlanDocument(name);
    for (const { number, before, steps } of tests) {
      for (const { does, step } of [before, ...steps.map((each) => each.before)].flat()) {
        if (!does.includes('with the answer of')) continue;
        expect(does).toContain(`with the answer of step ${step}`);
        expect(steps[step - 1]?.answers, `${name}, test ${number}, step ${step}: ${does}`).not.toEqual([]);
      }
    }
  },
);
