import { join } from 'node:path';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { specRows } from '../spec/spec-rows.ts';
import type { SpecRow } from '../spec/row.ts';
import { getAllReferences, type RowReference, isPageTest } from './named-rows.ts';

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
const formatPlaces = ({ machine, source }: SpecRow, references: readonly RowReference[]): string => {
  const states = uniqueSorted(references.flatMap(({ referrer, machine }) => (machine === null ? [] : [toCode(referrer)])));
  const routesAndCalls = uniqueSorted(references.flatMap((reference) => reference.source ?? []));
  const machineTexts = machine === undefined ? [] : [`the machine ${toCode(machine)}`];
  return [...states, ...machineTexts, ...routesAndCalls, ...(source === undefined ? [] : [toCode(source)])].join(', ');
};

/** The browser tests and generated walks that prove a row. */
const formatProofs = (references: readonly RowReference[]): string => {
  const stories = uniqueSorted(
    references.flatMap(({ referrer, machine }) => (machine === null ? [toCode(`tests/${referrer}`)] : [])),
  );
  const tours = uniqueSorted(references.flatMap(({ machine }) => machine ?? []));
  return [...tours.map((machine) => `the tours of ${toCode(machine)}`), ...stories].join(', ');
};

/** All rows of the specification as a page: text, places, and proofs. */
export const createSpecificationText = async (starts: Iterable<[string, PathModel[]]>): Promise<string> => {
  const referencesById = Map.groupBy(await getAllReferences(starts, root), ({ id }) => id);
  const formatRow = (row: SpecRow): string => {
    const references = referencesById.get(row.id) ?? [];
    const cells = [toCode(row.id), row.text, formatPlaces(row, references), formatProofs(references.filter(isPageTest))];
    return `| ${cells.map(escapeCell).join(' | ')} |`;
  };
  const sectionTexts = Object.entries(sections).map(([number, title]) => {
    const rows = specRows.filter(({ id }) => id.startsWith(`S${number}.`));
    return [
      `## ${number}. ${title}`,
      '',
      '| Row | Meaning | Place | Proof |',
      '|---|---|---|---|',
      ...rows.map(formatRow),
      '',
    ].join('\n');
  });
  return [
    '# The specification, row by row',
    '',
    `${specRows.length} rows, each shown in the browser: by a story below \`tests/e2e/\`, or by the tours, which play every transition of a`,
    'machine on the page. `npm run paths -- --approve` writes this page from `tools/spec/`, the machines and the tests.',
    '',
    ...sectionTexts,
  ].join('\n');
};
