import { join } from 'node:path';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { specRows } from '../spec/spec-rows.ts';
import type { SpecRow } from '../spec/row.ts';
import { getAllNamings, type RowName, isPageTest } from './named-rows.ts';

const root = join(import.meta.dirname, '../..');

/** The generated page with all rows. */
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

const uniqueSorted = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted();

const toCode = (text: string): string => `\`${text}\``;

/** Escapes a text for a table cell. */
const escapeCell = (text: string): string => text.replaceAll('|', String.raw`\|`);

/** The places that implement a row: states of machines, a route, a call, or a file. */
const formatPlaces = ({ of, place }: SpecRow, namings: readonly RowName[]): string => {
  const states = uniqueSorted(namings.flatMap(({ by, machine }) => (machine === null ? [] : [toCode(by)])));
  const others = uniqueSorted(namings.flatMap((naming) => naming.place ?? []));
  const machine = of === undefined ? [] : [`the machine ${toCode(of)}`];
  return [...states, ...machine, ...others, ...(place === undefined ? [] : [toCode(place)])].join(', ');
};

/** The browser tests and generated walks that prove it. */
const formatProofs = (namings: readonly RowName[]): string => {
  const stories = uniqueSorted(namings.flatMap(({ by, machine }) => (machine === null ? [toCode(`tests/${by}`)] : [])));
  const tours = uniqueSorted(namings.flatMap(({ machine }) => machine ?? []));
  return [...tours.map((machine) => `the tours of ${toCode(machine)}`), ...stories].join(', ');
};

/** All rows of the specification as a page: text, places, and proofs. */
export const createSpecificationText = async (starts: Iterable<[string, PathModel[]]>): Promise<string> => {
  const byId = Map.groupBy(await getAllNamings(starts, root), ({ id }) => id);
  const line = (row: SpecRow): string => {
    const namings = byId.get(row.id) ?? [];
    const cells = [toCode(row.id), row.says, formatPlaces(row, namings), formatProofs(namings.filter(isPageTest))];
    return `| ${cells.map(escapeCell).join(' | ')} |`;
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
