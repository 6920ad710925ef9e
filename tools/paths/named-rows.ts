import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyStateMachine } from 'xstate';
import { getAllStateNodes, getTransitions } from '../../machines/paths/transitions.ts';
import { flows } from '../../machines/flows/registry.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import type { SpecRow } from '../spec/row.ts';
import { sentParts } from '../spec/sent-calls.ts';

/**
 * A reference to a specification row: by a machine's state or transition, or by a test file.
 * `source` is the source that implements the row, if known.
 */
export type RowReference = { id: string; referrer: string; machine: string | null; source?: string };

/**
 * Whether a reference is by a browser test, or by a machine, which the generated walks play in the
 * browser.
 */
export const isPageTest = ({ referrer, machine }: RowReference): boolean => machine !== null || referrer.startsWith('e2e/');

/** The rows that the `meta` of a state or a transition names. */
export const getSpecIds = (meta: unknown): string[] => {
  const spec = (meta as { spec?: unknown } | undefined)?.spec;
  return Array.isArray(spec) ? spec.map(String) : [];
};

/** The rows that the `meta` of a machine's states and transitions name. */
export const getMachineReferences = (name: string, machine: AnyStateMachine): RowReference[] => [
  ...getAllStateNodes(machine).flatMap((node) => getSpecIds(node.meta).map((id) => ({ id, referrer: node.id, machine: name }))),
  ...getTransitions(machine).flatMap(({ meta, source }) =>
    getSpecIds(meta).map((id) => ({ id, referrer: source.id, machine: name })),
  ),
];

const getAllMachineReferences = (starts: Iterable<[string, PathModel[]]>): RowReference[] =>
  [...starts].flatMap(([name, [start]]) => (start ? getMachineReferences(name, start.machine) : []));

/** The rows named by routes of the registry: an e2e test opens each of their examples. */
const getRouteReferences = (): RowReference[] =>
  flows.flatMap(({ routes }) =>
    routes.flatMap(({ pattern, spec = [], examples }) =>
      examples.length === 0
        ? []
        : spec.map((id) => ({
            id,
            referrer: 'e2e/stories/shop/addresses.spec.ts',
            machine: null,
            source: `the route ${pattern}`,
          })),
    ),
  );

/** The rows of calls and their parameters: an e2e test looks for each in the page's requests. */
const getCallReferences = (): RowReference[] =>
  sentParts.map(({ id, call: { row } }) => ({
    id,
    referrer: 'e2e/specification/calls.spec.ts',
    machine: null,
    source: `the call ${row}`,
  }));

/** All references to rows, in the machines and below `root`. */
export const getAllReferences = async (starts: Iterable<[string, PathModel[]]>, root: string): Promise<RowReference[]> => [
  ...getAllMachineReferences(starts),
  ...getRouteReferences(),
  ...getCallReferences(),
  ...(await readTestReferences(root)),
];

/** Matches the titles of skipped tests, whose rows do not count. */
const skippedTestPattern = /\.(?:skip|todo)\s*\(\s*(['"`])(?:(?!\1).)*\1/gs;
const commentPattern = /^\s*\/\/.*$/gm;
const quotedPattern = /(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g;
const rowIdPattern = /\[(S\d\.[^\]\s]+)\]/g;

/** The rows that the test titles in a text name. */
export const findRowIds = (text: string): string[] => {
  const strings = text.replaceAll(commentPattern, '').replaceAll(skippedTestPattern, '').matchAll(quotedPattern);
  return [...strings].flatMap(([, , quotation = '']) => [...quotation.matchAll(rowIdPattern)].flatMap(([, id]) => id ?? []));
};

/** The rows that the tests below `root` name, with the file of each. */
const readTestReferences = async (root: string): Promise<RowReference[]> => {
  const folder = join(root, 'tests');
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(?:test|spec)\.tsx?$/.test(name));
  const texts = await Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })));
  return texts.flatMap(({ name, text }) => findRowIds(text).map((id) => ({ id, referrer: name, machine: null })));
};

/** Complaints about rows and references, one per line. */
export const findRowComplaints = (rows: readonly SpecRow[], references: readonly RowReference[]): string[] => {
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  const referencesById = new Map(references.map((reference) => [reference.id, reference]));
  const duplicates = rows.filter((row) => rowsById.get(row.id) !== row);
  const provedIds = new Set(references.filter(isPageTest).map(({ id }) => id));
  const unprovedRows = rows.filter(({ id, waiting }) => waiting === undefined && !provedIds.has(id));
  const rowsNoLongerWaiting = rows.flatMap(({ id, waiting }) =>
    waiting !== undefined && referencesById.has(id) ? [{ id, waiting }] : [],
  );
  return [
    ...duplicates.map(({ id }) => `${id} is listed twice`),
    ...unprovedRows.map(({ id, text }) => `${id} is named by no machine, no route and no test of the page: ${text}`),
    ...rowsNoLongerWaiting.map(
      ({ id, waiting }) => `${id} waits for ${waiting}, but ${referencesById.get(id)?.referrer} names it: remove "waiting"`,
    ),
    ...[...referencesById.values()]
      .filter(({ id }) => !rowsById.has(id))
      .map(({ id, referrer }) => `${id}, named by ${referrer}, is not a row`),
  ];
};

/** The rows of a machine, split into those with and without a reference. */
export const getMachineRows = (
  machine: string,
  rows: readonly SpecRow[],
  references: readonly RowReference[],
): { named: string[]; unnamed: string[] } => {
  const machineRowIds = new Set(references.filter((reference) => reference.machine === machine).map(({ id }) => id));
  const machineRows = rows.filter((row) => row.waiting === undefined && (row.machine === machine || machineRowIds.has(row.id)));
  const referencedIds = new Set(references.map(({ id }) => id));
  const ids = machineRows.map(({ id }) => id);
  return { named: ids.filter((id) => referencedIds.has(id)), unnamed: ids.filter((id) => !referencedIds.has(id)) };
};
