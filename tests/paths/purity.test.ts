import type { AnyStateMachine } from 'xstate';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Taken } from '../../machines/paths/purity-twice.ts';
import { purityOf } from '../../machines/paths/purity.ts';
import { takenElsewhere } from '../support/elsewhere/run.ts';
import { models, startsOf } from '../../tools/path-models/models.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

const isMachine = (value: unknown): value is AnyStateMachine =>
  typeof value === 'object' && value !== null && 'getStateNodeById' in value;

test('every machine has a model, so that whatever holds for the models holds for all', () => {
  const files = import.meta.glob<Record<string, unknown>>(['../../machines/*/*.ts', '!../../machines/{model,paths,trace}/*'], {
    eager: true,
  });
  const written = Object.values(files).flatMap((file) => Object.values(file).filter(isMachine));
  const modelled = new Set(models.map(({ machine }) => machine.id));
  expect(written.length).toBeGreaterThan(0);
  expect(written.map(({ id }) => id).filter((id) => !modelled.has(id))).toEqual([]);
});

/** What the traps do not reach, because it was taken when the file was loaded; everything else of the world has no type there. */
const takenIn = (source: string) => source.match(/\bDate\.now|\bDate\(\)|\bMath\.random|\{[^}]*\} = (Date|Math)\b/g) ?? [];

test('no machine takes the clock or chance when its file is loaded', () => {
  const files = import.meta.glob<string>(['../../machines/**/*.ts', '!../../machines/{paths,trace}/*'], {
    eager: true,
    query: '?raw',
    import: 'default',
  });
  expect(takenIn('const now = Date.now; const { random } = Math; new Date(0)')).toEqual(['Date.now', '{ random } = Math']);
  expect(Object.entries(files).filter(([, source]) => takenIn(source).length > 0)).toEqual([]);
});

describe('every machine', () => {
  let elsewhere = new Map<PathModel, Taken[]>();
  beforeAll(async () => {
    const taken = await takenElsewhere(new URL('../../tools/path-models/models.ts', import.meta.url).href);
    elsewhere = new Map(models.map((model, at) => [model, taken[at] ?? []]));
  }, 120_000);

  test.each([...startsOf])(
    '%s is pure, has a name for everything and plain JSON in its context',
    (_, starts) => {
      const findings = starts.flatMap((model) => purityOf(model.machine, { ...model, elsewhere: elsewhere.get(model) ?? [] }));
      expect(findings).toEqual([]);
    },
    120_000,
  );
});
