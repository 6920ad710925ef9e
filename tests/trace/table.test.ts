import { expect, test } from 'vitest';
import type { Plain } from '../../machines/trace/format.ts';
import { createTable, createReader, type StoredTable } from '../../machines/trace/table.ts';

const longText = 'a text that is long enough to be written once and referred to from then on';
const storeTable = (table: ReturnType<typeof createTable>, packed: Plain): StoredTable => {
  const used = new Set<number>();
  table
    .trackUses(used)
    .pack(createReader(JSON.parse(table.json(new Set(Array.from({ length: 99 }, (_, id) => id)))) as StoredTable).unpack(packed));
  return JSON.parse(table.json(used)) as StoredTable;
};

test.each<Plain>([
  null,
  longText,
  [longText, { a: longText, b: [longText] }],
  { $at: 3, $$at: longText, text: longText },
  { nested: { deep: { deeper: { text: longText, list: [1, 2, { again: longText }] } } } },
])('a value is read back unchanged: %j', (value) => {
  const table = createTable();
  const packed = table.pack(value);
  expect(createReader(storeTable(table, packed)).unpack(packed)).toEqual(value);
});

test('a repeated value is a reference, also after the table was stored and read again', () => {
  const table = createTable();
  const packed = table.pack({ text: longText });
  const restoredTable = createTable(storeTable(table, packed));
  expect(restoredTable.pack({ text: longText })).toEqual(packed);
  expect(JSON.stringify(restoredTable.pack([{ text: longText }, { text: longText }])).length).toBeLessThan(40);
  expect(restoredTable.find({ text: `${longText}!` })).toBeUndefined();
});

test('unused values are removed, except those that a used value refers to', () => {
  const table = createTable();
  table.pack({ text: longText, other: `${longText} of another` });
  const used = new Set<number>();
  const packed = table.trackUses(used).pack({ outer: { text: longText }, more: `${longText} and more` });
  table.keep(used);
  expect(table.find({ text: longText, other: `${longText} of another` })).toBeUndefined();
  expect(createReader(JSON.parse(table.json(used)) as StoredTable).unpack(packed)).toEqual({
    outer: { text: longText },
    more: `${longText} and more`,
  });
});

test('references without a value, to themselves or forward, and values that would fill the memory are refused', () => {
  expect(() => createReader({}).unpack({ $at: 0 })).toThrow('The table has no value 0');
  expect(() => createReader({}).at('x')).toThrow('The table has no value "x"');
  expect(() => createReader({ 0: [{ $at: 0 }] })).toThrow('Value 0 refers to value 0: expected an earlier value');
  expect(() => createReader({ 0: [{ $at: 1 }], 1: 'x' })).toThrow('Value 0 refers to value 1: expected an earlier value');
  const doubling = Object.fromEntries(
    Array.from({ length: 60 }, (_, id) => [id, id === 0 ? longText : [{ $at: id - 1 }, { $at: id - 1 }]]),
  ) as StoredTable;
  expect(() => createReader(doubling)).toThrow('The values exceed');
});
