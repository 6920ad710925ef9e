import { expect, test } from 'vitest';
import type { Plain } from '../../machines/trace/format.ts';
import { createTable, reader, type Stored } from '../../machines/trace/table.ts';

const long = 'a text that is long enough to be written once and referred to from then on';
const all = (table: ReturnType<typeof createTable>, packed: Plain): Stored => {
  const used = new Set<number>();
  table
    .counting(used)
    .pack(reader(JSON.parse(table.json(new Set(Array.from({ length: 99 }, (_, id) => id)))) as Stored).unpack(packed));
  return JSON.parse(table.json(used)) as Stored;
};

test.each<Plain>([
  null,
  long,
  [long, { a: long, b: [long] }],
  { $at: 3, $$at: long, text: long },
  { nested: { deep: { deeper: { text: long, list: [1, 2, { again: long }] } } } },
])('a value comes back as it was: %j', (value) => {
  const table = createTable();
  const packed = table.pack(value);
  expect(reader(all(table, packed)).unpack(packed)).toEqual(value);
});

test('what comes again is a reference, also after the table was stored and read again', () => {
  const table = createTable();
  const first = table.pack({ text: long });
  const again = createTable(all(table, first));
  expect(again.pack({ text: long })).toEqual(first);
  expect(JSON.stringify(again.pack([{ text: long }, { text: long }])).length).toBeLessThan(40);
  expect(again.find({ text: `${long}!` })).toBeUndefined();
});

test('what no run uses any longer is forgotten, and what its value refers to is not', () => {
  const table = createTable();
  table.pack({ text: long, other: `${long} of another` });
  const used = new Set<number>();
  const kept = table.counting(used).pack({ outer: { text: long }, more: `${long} and more` });
  table.keep(used);
  expect(table.find({ text: long, other: `${long} of another` })).toBeUndefined();
  expect(reader(JSON.parse(table.json(used)) as Stored).unpack(kept)).toEqual({
    outer: { text: long },
    more: `${long} and more`,
  });
});

test('references that lead nowhere, to themselves or forward, and values that would fill the memory, are refused', () => {
  expect(() => reader({}).unpack({ $at: 0 })).toThrow('There is no value 0');
  expect(() => reader({}).at('x')).toThrow('There is no value "x"');
  expect(() => reader({ 0: [{ $at: 0 }] })).toThrow('There is no value 0');
  expect(() => reader({ 0: [{ $at: 1 }], 1: 'x' })).toThrow('There is no value 1');
  const doubling = Object.fromEntries(
    Array.from({ length: 60 }, (_, id) => [id, id === 0 ? long : [{ $at: id - 1 }, { $at: id - 1 }]]),
  ) as Stored;
  expect(() => reader(doubling)).toThrow('too large');
});
