import { assign, createMachine, type AnyStateMachine } from 'xstate';
import { expect, test } from 'vitest';
import { isLike } from '../../machines/trace/compare.ts';
import type { Plain, Run } from '../../machines/trace/format.ts';
import { toDigest, toWholeHash } from '../../machines/trace/plain.ts';
import { replay } from '../../machines/trace/replay.ts';

const wholeHash = (value: Plain): Plain => toWholeHash(JSON.stringify(value));

const recordedValue = { id: 't1', price: { amount: 3, tax: null }, lines: [{ id: 'a' }] };
const valueWithAddedNulls = {
  id: 't1',
  code: null,
  price: { amount: 3, tax: null, place: null },
  lines: [{ id: 'a', off: null }],
};

test.each<[string, Plain]>([
  ['a plain value', recordedValue],
  ['a digest', toDigest(recordedValue)],
  ['a hash of the whole text', wholeHash(recordedValue)],
])('a field that is missing in a value recorded as %s may be null, at any depth', (_, recorded) => {
  expect(isLike(recorded, valueWithAddedNulls)).toBe(true);
});

test.each<[string, Plain]>([
  ['an added field has a value', { ...recordedValue, code: 'SPRING' }],
  ['an added field within has a value', { ...recordedValue, lines: [{ id: 'a', off: 1 }] }],
  ['a recorded value is different', { ...recordedValue, price: { amount: 4, tax: null } }],
  ['a recorded value is null', { ...recordedValue, id: null }],
  ['a recorded field is missing', { id: 't1', price: { amount: 3, tax: null } }],
  ['a recorded list is longer', { ...recordedValue, lines: [{ id: 'a' }, { id: 'b' }] }],
])('a value differs from its plain, digest and hash record if %s', (_, actual) => {
  expect(isLike(recordedValue, actual)).toBe(false);
  expect(isLike(toDigest(recordedValue), actual)).toBe(false);
  expect(isLike(wholeHash(recordedValue), actual)).toBe(false);
});

test('a missing field that was recorded as null is a difference', () => {
  expect(isLike({ a: null }, {})).toBe(false);
});

test('a field that the record lacks and that had a value before must not become null', () => {
  expect(isLike({ a: 1 }, { a: 1, b: null }, { a: 0, b: null })).toBe(true);
  expect(isLike({ a: 1 }, { a: 1, b: null }, { a: 0, b: 5 })).toBe(false);
  expect(isLike({ a: [{ c: 1 }] }, { a: [{ c: 1, b: null }] }, { a: [{ b: 5 }] })).toBe(false);
});

test('the order of fields makes no difference to a plain record and to a digest', () => {
  expect(isLike({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
  expect(isLike(toDigest({ a: 1, b: 2 }), { b: 2, a: 1 })).toBe(true);
});

type Context = Record<string, unknown>;

/** A machine that stores the value of the last press, with these additional fields. */
const createKeeper = (addedFields: Context, onPress: Context = {}): AnyStateMachine =>
  createMachine({
    id: 'keeper',
    context: { kept: null, ...addedFields } as Context,
    on: { press: { actions: assign(({ event }) => ({ kept: (event as { value?: unknown }).value, ...onPress })) } },
  }) as AnyStateMachine;

const pressInput: Run['steps'][number]['input'] = { kind: 'event', to: 'root', event: { type: 'press', value: 1 } };
const run: Run = {
  startedAt: 0,
  input: null,
  messageScope: 'all',
  steps: [
    { at: 0, input: { kind: 'start' }, reactions: [{ actor: 'root', on: 'xstate.init', state: {}, changed: { kept: null } }] },
    { at: 1, input: pressInput, reactions: [{ actor: 'root', on: 'press', changed: { kept: 1 } }] },
  ],
};

test('a machine to which null fields were added replays an older record', () => {
  expect(replay(createKeeper({}), run).divergence).toBeNull();
  expect(replay(createKeeper({ added: null }), run).divergence).toBeNull();
});

test('a machine with an added field that is not null diverges where the field is set', () => {
  expect(replay(createKeeper({ added: 1 }), run).divergence).toMatchObject({ step: 0, got: { changed: { added: 1 } } });
  expect(replay(createKeeper({ added: null }, { added: 1 }), run).divergence).toMatchObject({
    step: 1,
    got: { changed: { added: 1 } },
  });
});

test('a change to null is a divergence if the record has none', () => {
  const [start, pressed] = run.steps;
  if (!start || !pressed) throw new Error(`The recording must have two steps, found ${run.steps.length}.`);
  const runWithValue: Run = {
    ...run,
    steps: [
      { ...start, reactions: [{ actor: 'root', on: 'xstate.init', state: {}, changed: { kept: null, added: 5 } }] },
      pressed,
    ],
  };
  expect(replay(createKeeper({ added: 5 }), runWithValue).divergence).toBeNull();
  expect(replay(createKeeper({ added: 5 }, { added: null }), runWithValue).divergence).toMatchObject({
    step: 1,
    got: { changed: { added: null } },
  });
});
