import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyStateMachine } from 'xstate';
import { getAllStateNodes, getTransitions } from '../../machines/paths/transitions.ts';
import { flows } from '../../machines/flows/registry.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import type { SpecRow } from '../spec/row.ts';
import { sentParts } from '../spec/sent.ts';

/**
 * A reference to a specification row: by a machine's state or transition, or by a test file.
 * `place` is the source that implements it, if known.
 */
export type RowName = { id: string; by: string; machine: string | null; place?: string };

/**
 * Whether the reference is a browser test, or a machine, which the generated walks play in the
 * browser.
 */
export const isPageTest = ({ by, machine }: RowName): boolean => machine !== null || by.startsWith('e2e/');

/** The rows that the `meta` of a state or a transition names. */
export const getSpecIds = (meta: unknown): string[] => {
  const named = (meta as { spec?: unknown } | undefined)?.spec;
  return Array.isArray(named) ? named.map(String) : [];
};

/** The rows that the `meta` of a machine's states and transitions name. */
export const getMachineNamings = (name: string, machine: AnyStateMachine): RowName[] => [
  ...getAllStateNodes(machine).flatMap((node) => getSpecIds(node.meta).map((id) => ({ id, by: node.id, machine: name }))),
  ...getTransitions(machine).flatMap(({ meta, source }) => getSpecIds(meta).map((id) => ({ id, by: source.id, machine: name }))),
];

const getAllMachineNamings = (starts: Iterable<[string, PathModel[]]>): RowName[] =>
  [...starts].flatMap(([name, [start]]) => (start ? getMachineNamings(name, start.machine) : []));

/** The rows named by routes of the registry: an e2e test opens each of their examples. */
const getRouteNamings = (): RowName[] =>
  flows.flatMap(({ routes }) =>
    routes.flatMap(({ pattern, spec = [], examples }) =>
      examples.length === 0
        ? []
        : spec.map((id) => ({ id, by: 'e2e/stories/shop/addresses.spec.ts', machine: null, place: `the route ${pattern}` })),
    ),
  );

/** The rows of calls and their parameters: an e2e test looks for each in the page's requests. */
const getCallNamings = (): RowName[] =>
  sentParts.map(({ id, call: { row } }) => ({
    id,
    by: 'e2e/specification/calls.spec.ts',
    machine: null,
    place: `the call ${row}`,
  }));

/** All references to rows, in the machines and below `root`. */
export const getAllNamings = async (starts: Iterable<[string, PathModel[]]>, root: string): Promise<RowName[]> => [
  ...getAllMachineNamings(starts),
  ...getRouteNamings(),
  ...getCallNamings(),
  ...(await readTestNamings(root)),
];

/** Matches the titles of skipped tests, whose rows do not count. */
const skippedTests = /\.(?:skip|todo)\s*\(\s*(['"`])(?:(?!\1).)*\1/gs;
const commentLine = /^\s*\/\/.*$/gm;
const quotedPattern = /(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g;
const rowIdPattern = /\[(S\d\.[^\]\s]+)\]/g;

/** The rows that the test titles in a text name. */
export const findRowIds = (text: string): string[] => {
  const strings = text.replaceAll(commentLine, '').replaceAll(skippedTests, '').matchAll(quotedPattern);
  return [...strings].flatMap(([, , inner = '']) => [...inner.matchAll(rowIdPattern)].flatMap(([, id]) => id ?? []));
};

/** The rows that the tests below `root` name, with the file of each. */
const readTestNamings = async (root: string): Promise<RowName[]> => {
  const folder = join(root, 'tests');
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(?:test|spec)\.tsx?$/.test(name));
  const texts = await Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })));
  return texts.flatMap(({ name, text }) => findRowIds(text).map((id) => ({ id, by: name, machine: null })));
};

/** Complaints about rows and references, one per line. */
export const findRowComplaints = (rows: readonly SpecRow[], namings: readonly RowName[]): string[] => {
  const known = new Map(rows.map((row) => [row.id, row]));
  const named = new Map(namings.map((naming) => [naming.id, naming]));
  const twice = rows.filter((row) => known.get(row.id) !== row);
  const shown = new Set(namings.filter(isPageTest).map(({ id }) => id));
  const unnamed = rows.filter(({ id, waiting }) => waiting === undefined && !shown.has(id));
  const early = rows.flatMap(({ id, waiting }) => (waiting !== undefined && named.has(id) ? [{ id, waiting }] : []));
  return [
    ...twice.map(({ id }) => `${id} is listed twice`),
    ...unnamed.map(({ id, says }) => `${id} is named by no machine, no route and no test of the page: ${says}`),
    ...early.map(({ id, waiting }) => `${id} waits for ${waiting}, but ${named.get(id)?.by} names it: remove "waiting"`),
    ...[...named.values()].filter(({ id }) => !known.has(id)).map(({ id, by }) => `${id}, named by ${by}, is not a row`),
  ];
};

/** The rows of a machine, split into those with and without a reference. */
export const getMachineRows = (
  machine: string,
  rows: readonly SpecRow[],
  namings: readonly RowName[],
): { named: string[]; unnamed: string[] } => {
  const own = new Set(namings.filter((naming) => naming.machine === machine).map(({ id }) => id));
  const carried = rows.filter((row) => row.waiting === undefined && (row.of === machine || own.has(row.id)));
  const all = new Set(namings.map(({ id }) => id));
  const ids = carried.map(({ id }) => id);
  return { named: ids.filter((id) => all.has(id)), unnamed: ids.filter((id) => !all.has(id)) };
};
