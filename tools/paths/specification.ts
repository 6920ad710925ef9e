import { join } from 'node:path';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { specRows } from '../spec/spec-rows.ts';
import type { SpecRow } from '../spec/row.ts';
import { allNamings, type Naming, watchesPage } from './named-rows.ts';

const root = join(import.meta.dirname, '../..');

/** Where the rows are written, for people. */
export const specificationFile = join(root, 'docs/specification.md');

const sections: Readonly<Record<string, string>> = {
  '1': 'The product',
  '2': 'Screens and routes',
  '3': 'Entities and their fields',
  '4': 'States and transitions',
  '5': 'Validation rules',
  '6': 'Roles and permissions',
  '7': 'The calls it makes',
  '8': 'Errors',
  '9': 'Constants and limits',
};

const each = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted();

const code = (text: string): string => `\`${text}\``;

/** In a cell of a table. */
const cell = (text: string): string => text.replaceAll('|', String.raw`\|`);

/** Where a row is fulfilled: in states of machines, at a route, by a call, or in a file. */
const placesOf = ({ of, place }: SpecRow, namings: readonly Naming[]): string => {
  const states = each(namings.flatMap(({ by, machine }) => (machine === null ? [] : [code(by)])));
  const others = each(namings.flatMap((naming) => naming.place ?? []));
  const machine = of === undefined ? [] : [`the machine ${code(of)}`];
  return [...states, ...machine, ...others, ...(place === undefined ? [] : [code(place)])].join(', ');
};

/** The stories and tours that show it on the page. */
const proofsOf = (namings: readonly Naming[]): string => {
  const stories = each(namings.flatMap(({ by, machine }) => (machine === null ? [code(`tests/${by}`)] : [])));
  const tours = each(namings.flatMap(({ machine }) => machine ?? []));
  return [...tours.map((machine) => `the tours of ${code(machine)}`), ...stories].join(', ');
};

/** All rows of the specification as a page: their words, their places, and their proofs. */
export const specificationText = async (starts: Iterable<[string, PathModel[]]>): Promise<string> => {
  const byId = Map.groupBy(await allNamings(starts, root), ({ id }) => id);
  const line = (row: SpecRow): string => {
    const namings = byId.get(row.id) ?? [];
    const cells = [code(row.id), row.says, placesOf(row, namings), proofsOf(namings.filter(watchesPage))];
    return `| ${cells.map(cell).join(' | ')} |`;
  };
  const parts = Object.entries(sections).map(([number, title]) => {
    const rows = specRows.filter(({ id }) => id.startsWith(`S${number}.`));
    return [`## ${number}. ${title}`, '', '| Row | Meaning | Place | Proof |', '|---|---|---|---|', ...rows.map(line), ''].join(
      '\n',
    );
  });
  return [
    '# The specification, row by row',
    '',
    `${specRows.length} rows, each shown in the browser: by a story below \`tests/e2e/\`, or by the tours, which play every transition of a`,
    'machine on the page. `npm run paths -- --approve` writes this page from `tools/spec/`, the machines and the tests.',
    '',
    ...parts,
  ].join('\n');
};
