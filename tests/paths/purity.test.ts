import type { AnyStateMachine } from 'xstate';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TransitionResult } from '../../machines/paths/purity-twice.ts';
import { checkPurity } from '../../machines/paths/purity.ts';
import { runTransitionsElsewhere } from '../support/elsewhere/run.ts';
import { models, modelsByMachine } from '../../tools/path-models/models.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

const isMachine = (value: unknown): value is AnyStateMachine =>
  typeof value === 'object' && value !== null && 'getStateNodeById' in value;

test('every machine has a model, so that tests of all models cover all machines', () => {
  const files = import.meta.glob<Record<string, unknown>>(
    ['../../machines/**/*.ts', '!../../machines/{model,paths,path-models,trace}/**'],
    {
      eager: true,
    },
  );
  const machines = Object.values(files).flatMap((file) => Object.values(file).filter(isMachine));
  const modelled = new Set(models.map(({ machine }) => machine.id));
  expect(machines.length).toBeGreaterThan(0);
  expect(machines.map(({ id }) => id).filter((id) => !modelled.has(id))).toEqual([]);
});

/**
 * Reads of globals that the traps miss because they happen when a file is loaded. All other globals
 * have no type in the machines' files.
 */
const findGlobalReads = (source: string) =>
  source.match(/\bDate\.now|\bDate\(\)|\bMath\.random|\{[^}]*\} = (Date|Math)\b/g) ?? [];

test('no machine reads the clock or randomness when its file is loaded', () => {
  const files = import.meta.glob<string>(['../../machines/**/*.ts', '!../../machines/{paths,trace}/*'], {
    eager: true,
    query: '?raw',
    import: 'default',
  });
  expect(findGlobalReads('const now = Date.now; const { random } = Math; new Date(0)')).toEqual([
    'Date.now',
    '{ random } = Math',
  ]);
  expect(Object.entries(files).filter(([, source]) => findGlobalReads(source).length > 0)).toEqual([]);
});

describe('every machine', () => {
  let elsewhere = new Map<PathModel, TransitionResult[]>();
  beforeAll(async () => {
    const transitions = await runTransitionsElsewhere(new URL('../../tools/path-models/models.ts', import.meta.url).href);
    elsewhere = new Map(models.map((model, index) => [model, transitions[index] ?? []]));
  }, 120_000);

  test.each([...modelsByMachine])(
    '%s is pure, names everything and has plain JSON in its context',
    (_, starts) => {
      const findings = starts.flatMap((model) => checkPurity(model.machine, { ...model, elsewhere: elsewhere.get(model) ?? [] }));
      expect(findings).toEqual([]);
    },
    120_000,
  );
});
