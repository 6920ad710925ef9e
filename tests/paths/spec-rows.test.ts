import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setup } from 'xstate';
import { describe, expect, test } from 'vitest';
import { allNamings, namedByMachine, namedInText, rowComplaints } from '../../tools/paths/named-rows.ts';
import { specificationFile, specificationText } from '../../tools/paths/specification.ts';
import { startsOf } from '../../tools/path-models/models.ts';
import { specRows } from '../../tools/spec/spec-rows.ts';

/** Written so that this file names no row itself. */
const tagged = (id: string) => `[${id}]`;
const naming = (id: string, by = 'e2e/some.spec.ts') => ({ id, by, machine: null });
const row = { id: 'S2./here', says: 'a page' };

const root = join(import.meta.dirname, '../..');

test('every row of the specification is shown on the page by a machine, a route or a story, or waits for its flow', async () => {
  expect(rowComplaints(specRows, await allNamings(startsOf, root))).toEqual([]);
});

test('docs/specification.md is up to date; npm run paths -- --approve writes it', async () => {
  expect(await readFile(specificationFile, 'utf8')).toBe(await specificationText(startsOf));
});

test('a row’s source is there', async () => {
  for (const { place } of specRows) if (place !== undefined) await access(join(root, place));
});

test('a row that a machine carries is one of a machine that is there', () => {
  expect(specRows.filter(({ of }) => of !== undefined && !startsOf.has(of))).toEqual([]);
});

describe('the check complains of', () => {
  test.each([
    ['a row that nothing names', [row], [], 'S2./here is named by no machine'],
    ['a row that no test of the page names', [row], [naming(row.id, 'server/some.test.ts')], 'S2./here is named by no machine'],
    ['a row that waits although it is named', [{ ...row, waiting: 'redeem' }], [naming(row.id)], 'S2./here waits for redeem'],
    ['a name that is no row', [], [naming('S2./gone')], 'S2./gone, named by e2e/some.spec.ts, is no row'],
    ['a row that stands twice', [row, { ...row }], [naming(row.id)], 'S2./here stands twice'],
  ])('%s', (_, rows, namings, complaint) => {
    const complaints = rowComplaints(rows, namings);
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(complaint);
  });

  test('nothing when a row is named, and when it waits and is not', () => {
    expect(rowComplaints([row, { ...row, id: 'S2./later', waiting: 'redeem' }], [naming(row.id)])).toEqual([]);
  });
});

describe('rows are named', () => {
  test('in titles of tests, of groups and of cases', () => {
    const text = [
      `describe('a page ${tagged('S2./a')}', () => {`,
      `  test(\`it's there \${name} ${tagged('S2./b')} ${tagged('S2./c')}\`, () => {});`,
      `  test.each([["case ${tagged('S2./d')}", 1]])('%s', () => {});`,
    ].join('\n');
    expect(namedInText(text)).toEqual(['S2./a', 'S2./b', 'S2./c', 'S2./d']);
  });

  test('neither in comments nor in titles of tests that are left out', () => {
    const text = `  // test('once ${tagged('S2./a')}')\ntest.skip('later ${tagged('S2./b')}', () => {});\ntest.todo('later ${tagged('S2./c')}');`;
    expect(namedInText(text)).toEqual([]);
  });

  test('in the meta of states and transitions', () => {
    const machine = setup({}).createMachine({
      id: 'shop',
      initial: 'shut',
      states: {
        shut: { on: { open: { target: 'open', meta: { spec: ['S2./door'] } } } },
        open: { meta: { spec: ['S2./a', 'S2./b'] } },
      },
    });
    expect(namedByMachine('shop', machine).map(({ id, by }) => [id, by])).toEqual([
      ['S2./a', 'shop.open'],
      ['S2./b', 'shop.open'],
      ['S2./door', 'shop.shut'],
    ]);
  });
});
