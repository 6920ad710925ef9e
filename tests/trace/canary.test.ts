import { expect, test } from 'vitest';
import { createStepper } from '../../machines/paths/stepper.ts';
import { explore, type Cases } from '../../machines/paths/explore.ts';
import { seeded } from '../../machines/paths/walk.ts';
import { plainOf } from '../../machines/trace/plain.ts';
import { pseudonyms } from '../../machines/trace/pseudonym.ts';
import { models } from '../../tools/path-models/models.ts';

/** Everything that no trace may hold. */
const canary = {
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

/** Puts the canary under every `pii` key and into every address of media: the only places where it may travel. */
const planted = (value: Value): Value => {
  if (Array.isArray(value)) return value.map(planted);
  if (typeof value === 'string') return value.replace(/^\/media\/[^/]+\//, `/media/${canary.token}/`);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, key === 'pii' ? withCanary(part) : planted(part)]));
};

const withCanary = (pii: Value): Value => {
  if (pii === null || typeof pii !== 'object') return pii;
  const parts = Object.entries(pii).map(([key, part]) => {
    if (typeof part === 'string') return [key, canary[key as keyof typeof canary] ?? canary.name];
    return [key, withCanary(part)];
  });
  return { ...Object.fromEntries(parts), ...canary };
};

const plantedCases = (cases: Cases = {}): Cases =>
  Object.fromEntries(Object.entries(cases).map(([type, list]) => [type, list.map((each) => planted(each) as object)])) as Cases;

const found = (text: string): string[] => Object.values(canary).filter((secret) => text.includes(secret));

const redact = pseudonyms(seeded(4_711), new Map());
const recorded = (value: unknown): string => JSON.stringify(plainOf(value, redact));

test.each(models)(
  '$name: no event, context, checkpoint or input that is recorded, and nothing that is told, holds the canary',
  (model) => {
    const input = planted(model.input);
    const { edges, nodes } = explore(model.machine, { ...model, input, cases: plantedCases(model.cases) });
    const stepper = createStepper(model.machine);
    const texts = [
      recorded(input),
      ...edges.map(({ event }) => recorded(event)),
      ...nodes.map(({ snapshot }) => recorded(snapshot.context)),
      ...edges.flatMap(({ from, event }) => {
        const { snapshot, effects } = stepper.step(from.snapshot, event);
        return [recorded(snapshot.context), recorded(effects)];
      }),
    ];
    expect(texts.flatMap(found)).toEqual([]);
  },
);

test('the canary does travel: unredacted, the same walks hold it', () => {
  const travelled = models.flatMap((model) => {
    const { edges, nodes } = explore(model.machine, { ...model, input: planted(model.input), cases: plantedCases(model.cases) });
    const values: unknown[] = [...edges.map(({ event }) => event), ...nodes.map(({ snapshot }) => snapshot.context as unknown)];
    return values.flatMap((value) => found(JSON.stringify(plainOf(value))));
  });
  expect(new Set(travelled)).toEqual(new Set(Object.values(canary)));
});
