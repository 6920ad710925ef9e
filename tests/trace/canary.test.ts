import { expect, test } from 'vitest';
import { createStepper } from '../../machines/paths/stepper.ts';
import { explore, type Cases } from '../../machines/paths/explore.ts';
import { seededRandom } from '../../machines/paths/walk.ts';
import { toPlain } from '../../machines/trace/plain.ts';
import { createPseudonymizer } from '../../machines/trace/pseudonym.ts';
import { models } from '../../tools/path-models/models.ts';

/** Values that no trace may contain. */
const canaries = {
  email: 'canary.reader@harbour-mail.org',
  password: '!!!Canary???###',
  token: 'Y2FuYXJ5LXRva2VuLW9mLWEtc2lnbmVkLWluLWN1c3RvbWVy',
  code: 'CANARY-GIFT-9081',
  card: '4917 6100 0000 0000',
  message: 'Happy birthday, dear canary',
  name: 'Canary Featherstone',
  address: '12 Canary Wharf',
};

type Value = unknown;

/**
 * Puts canaries under every `pii` key and into every media URL: the only places that may contain
 * personal data.
 */
const plantCanaries = (value: Value): Value => {
  if (Array.isArray(value)) return value.map(plantCanaries);
  if (typeof value === 'string') return value.replace(/^\/media\/[^/]+\//, `/media/${canaries.token}/`);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, key === 'pii' ? plantInPii(field) : plantCanaries(field)]),
  );
};

const plantInPii = (pii: Value): Value => {
  if (pii === null || typeof pii !== 'object') return pii;
  const parts = Object.entries(pii).map(([key, field]) => {
    if (typeof field === 'string') return [key, canaries[key as keyof typeof canaries] ?? canaries.name];
    return [key, plantInPii(field)];
  });
  return { ...Object.fromEntries(parts), ...canaries };
};

const plantInCases = (cases: Cases = {}): Cases =>
  Object.fromEntries(
    Object.entries(cases).map(([type, list]) => [type, list.map((each) => plantCanaries(each) as object)]),
  ) as Cases;

const findCanaries = (text: string): string[] => Object.values(canaries).filter((canary) => text.includes(canary));

const redact = createPseudonymizer(seededRandom(4_711), new Map());
const formatRedacted = (value: unknown): string => JSON.stringify(toPlain(value, redact));

test.each(models)('$name: no recorded event, context, checkpoint, input or message contains a canary', (model) => {
  const input = plantCanaries(model.input);
  const { edges, nodes } = explore(model.machine, { ...model, input, cases: plantInCases(model.cases) });
  const stepper = createStepper(model.machine);
  const texts = [
    formatRedacted(input),
    ...edges.map(({ event }) => formatRedacted(event)),
    ...nodes.map(({ snapshot }) => formatRedacted(snapshot.context)),
    ...edges.flatMap(({ from, event }) => {
      const { snapshot, effects } = stepper.step(from.snapshot, event);
      return [formatRedacted(snapshot.context), formatRedacted(effects)];
    }),
  ];
  expect(texts.flatMap(findCanaries)).toEqual([]);
});

test('without redaction the same walks contain every canary', () => {
  const foundCanaries = models.flatMap((model) => {
    const { edges, nodes } = explore(model.machine, {
      ...model,
      input: plantCanaries(model.input),
      cases: plantInCases(model.cases),
    });
    const values: unknown[] = [...edges.map(({ event }) => event), ...nodes.map(({ snapshot }) => snapshot.context as unknown)];
    return values.flatMap((value) => findCanaries(JSON.stringify(toPlain(value))));
  });
  expect(new Set(foundCanaries)).toEqual(new Set(Object.values(canaries)));
});
