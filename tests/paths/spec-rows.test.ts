import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setup } from 'xstate';
import { describe, expect, test } from 'vitest';
import { getAllReferences, getMachineReferences, findRowIds, findRowComplaints } from '../../tools/paths/named-rows.ts';
import { specificationFile, createSpecificationText } from '../../tools/paths/specification.ts';
import { modelsByMachine } from '../../tools/path-models/models.ts';
import { specRows } from '../../tools/spec/spec-rows.ts';

/** The tag of a row, built by concatenation, so that this file does not name a row. */
const tagRow = (id: string) => `[${id}]`;
const makeReference = (id: string, referrer = 'e2e/some.spec.ts') => ({ id, referrer, machine: null });
const specRow = { id: 'S2./here', text: 'a page' };

const root = join(import.meta.dirname, '../..');

test('every row of the specification is covered by a machine, a route or a story, or is pending', async () => {
  expect(findRowComplaints(specRows, await getAllReferences(modelsByMachine, root))).toEqual([]);
});

test('docs/specification.md is up to date; npm run paths -- --approve writes it', async () => {
  expect(await readFile(specificationFile, 'utf8')).toBe(await createSpecificationText(modelsByMachine));
});

test('the source of every row exists', async () => {
  for (const { source } of specRows) if (source !== undefined) await access(join(root, source));
});

test('a row covered by a machine names an existing machine', () => {
  expect(specRows.filter(({ machine }) => machine !== undefined && !modelsByMachine.has(machine))).toEqual([]);
});

describe('the check reports', () => {
  test.each([
    ['a row that nothing names', [specRow], [], 'S2./here is named by no machine'],
    [
      'a row that no page test names',
      [specRow],
      [makeReference(specRow.id, 'server/some.test.ts')],
      'S2./here is named by no machine',
    ],
    [
      'a pending row that is named',
      [{ ...specRow, waiting: 'redeem' }],
      [makeReference(specRow.id)],
      'S2./here waits for redeem',
    ],
    ['an unknown row that is named', [], [makeReference('S2./gone')], 'S2./gone, named by e2e/some.spec.ts, is not a row'],
    ['a duplicate row', [specRow, { ...specRow }], [makeReference(specRow.id)], 'S2./here is listed twice'],
  ])('the check reports %s', (_, rows, references, complaint) => {
    const complaints = findRowComplaints(rows, references);
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(complaint);
  });

  test('the check accepts a named row, and a pending row that nothing names', () => {
    expect(findRowComplaints([specRow, { ...specRow, id: 'S2./later', waiting: 'redeem' }], [makeReference(specRow.id)])).toEqual(
      [],
    );
  });
});

describe('row names are read', () => {
  test('row names are read in titles of tests, of groups and of cases', () => {
    const text = [
      `describe('a page ${tagRow('S2./a')}', () => {`,
      `  test(\`it's there \${name} ${tagRow('S2./b')} ${tagRow('S2./c')}\`, () => {});`,
      `  test.each([["case ${tagRow('S2./d')}", 1]])('%s', () => {});`,
    ].join('\n');
    expect(findRowIds(text)).toEqual(['S2./a', 'S2./b', 'S2./c', 'S2./d']);
  });

  test('row names are not read in comments or in titles of skipped tests', () => {
    const text = `  // test('once ${tagRow('S2./a')}')\ntest.skip('later ${tagRow('S2./b')}', () => {});\ntest.todo('later ${tagRow('S2./c')}');`;
    expect(findRowIds(text)).toEqual([]);
  });

  test('row names are read in the meta of states and transitions', () => {
    const machine = setup({}).createMachine({
      id: 'shop',
      initial: 'shut',
      states: {
        shut: { on: { open: { target: 'open', meta: { spec: ['S2./door'] } } } },
        open: { meta: { spec: ['S2./a', 'S2./b'] } },
      },
    });
    expect(getMachineReferences('shop', machine).map(({ id, referrer }) => [id, referrer])).toEqual([
      ['S2./a', 'shop.open'],
      ['S2./b', 'shop.open'],
      ['S2./door', 'shop.shut'],
    ]);
  });
});
