import { expect, test } from 'vitest';
import type { Plain } from '../../machines/trace/format.ts';
import { createTable, reader, type StoredTable } from '../../machines/trace/table.ts';

const long = 'a text that is long enough to be written once and referred to from then on';
const all = (table: ReturnType<typeof createTable>, packed: Plain): StoredTable => {
  const used = new Set<number>();
  table
    .counting(used)
    .pack(reader(JSON.parse(table.json(new Set(Array.from({ length: 99 }, (_, id) => id)))) as StoredTable).unpack(packed));
  return JSON.parse(table.json(used)) as StoredTable;
};

test.each<Plain>([
  null,
  long,
  [long, { a: long, b: [long] }],
  { $at: 3, $$at: long, text: long },
  { nested: { deep: { deeper: { text: long, list: [1, 2, { again: long }] } } } },
])('a value is read back unchanged: %j', (value) => {
  const table = createTable();
  const packed = table.pack(value);
  expect(reader(all(table, packed)).unpack(packed)).toEqual(value);
});

test('a repeated value is a reference, also after the table was stored and read again', () => {
  const table = createTable();
  const first = table.pack({ text: long });
  const again = createTable(all(table, first));
  expect(again.pack({ text: long })).toEqual(first);
  expect(JSON.stringify(again.pack([{ text: long }, { text: long }])).length).toBeLessThan(40);
  expect(again.find({ text: `${long}!` })).toBeUndefined();
});

test('unused values are removed, except those that a used value refers to', () => {
  const table = createTable();
  table.pack({ text: long, other: `${long} of another` });
  const used = new Set<number>();
  const kept = table.counting(used).pack({ outer: { text: long }, more: `${long} and more` });
  table.keep(used);
  expect(table.find({ text: long, other: `${long} of another` })).toBeUndefined();
  expect(reader(JSON.parse(table.json(used)) as StoredTable).unpack(kept)).toEqual({
    outer: { text: long },
    more: `${long} and more`,
  });
});

test('references that lead nowhere, to themselves or forward, and values that would fill the memory, are refused', () => {
  expect(() => reader({}).unpack({ $at: 0 })).toThrow('The table has no value 0');
  expect(() => reader({}).at('x')).toThrow('The table has no value "x"');
  expect(() => reader({ 0: [{ $at: 0 }] })).toThrow('The table has no value 0');
  expect(() => reader({ 0: [{ $at: 1 }], 1: 'x' })).toThrow('The table has no value 1');
  const doubling = Object.fromEntries(
    Array.from({ length: 60 }, (_, id) => [id, id === 0 ? long : [{ $at: id - 1 }, { $at: id - 1 }]]),
  ) as StoredTable;
  expect(() => reader(doubling)).toThrow('too large');
});
