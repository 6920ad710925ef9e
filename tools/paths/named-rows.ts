import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyStateMachine } from 'xstate';
import { stateNodesOf, transitionsOf } from '../../machines/paths/transitions.ts';
import { flows } from '../../machines/flows/registry.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import type { SpecRow } from '../spec/row.ts';
import { sentParts } from '../spec/sent.ts';

/**
 * Where a specification row is named: a machine's state or transition, or the file of a test.
 * `place` is the source that fulfils it, where that is known.
 */
export type Naming = { id: string; by: string; machine: string | null; place?: string };

/**
 * Whether a row is named by a story in the browser, or by a machine, which the tours play there.
 */
export const watchesPage = ({ by, machine }: Naming): boolean => machine !== null || by.startsWith('e2e/');

/** The rows that the `meta` of a state or a transition names. */
export const specIn = (meta: unknown): string[] => {
  const named = (meta as { spec?: unknown } | undefined)?.spec;
  return Array.isArray(named) ? named.map(String) : [];
};

/** The rows that the `meta` of a machine's states and transitions name. */
export const namedByMachine = (name: string, machine: AnyStateMachine): Naming[] => [
  ...stateNodesOf(machine).flatMap((node) => specIn(node.meta).map((id) => ({ id, by: node.id, machine: name }))),
  ...transitionsOf(machine).flatMap(({ meta, source }) => specIn(meta).map((id) => ({ id, by: source.id, machine: name }))),
];

const namedByMachines = (starts: Iterable<[string, PathModel[]]>): Naming[] =>
  [...starts].flatMap(([name, [start]]) => (start ? namedByMachine(name, start.machine) : []));

/** The rows that routes of the registry name: a story opens each of their examples. */
const namedByRoutes = (): Naming[] =>
  flows.flatMap(({ routes }) =>
    routes.flatMap(({ pattern, spec = [], examples }) =>
      examples.length === 0
        ? []
        : spec.map((id) => ({ id, by: 'e2e/stories/shop/addresses.spec.ts', machine: null, place: `the route ${pattern}` })),
    ),
  );

/** The rows of calls and their parameters: a story looks for each among what the page has sent. */
const namedByCalls = (): Naming[] =>
  sentParts.map(({ id, call: { row } }) => ({
    id,
    by: 'e2e/specification/calls.spec.ts',
    machine: null,
    place: `the call ${row}`,
  }));

/** Everything that names rows, in the machines and below `root`. */
export const allNamings = async (starts: Iterable<[string, PathModel[]]>, root: string): Promise<Naming[]> => [
  ...namedByMachines(starts),
  ...namedByRoutes(),
  ...namedByCalls(),
  ...(await namedByTests(root)),
];

/** A string that is a test's title or the name of one of its cases; a title of a test that is left out does not count. */
const leftOut = /\.(?:skip|todo)\s*\(\s*(['"`])(?:(?!\1).)*\1/gs;
const commentLine = /^\s*\/\/.*$/gm;
const quoted = /(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g;
const tag = /\[(S\d\.[^\]\s]+)\]/g;

/** The rows that the titles in a test's text name. */
export const namedInText = (text: string): string[] => {
  const strings = text.replaceAll(commentLine, '').replaceAll(leftOut, '').matchAll(quoted);
  return [...strings].flatMap(([, , inner = '']) => [...inner.matchAll(tag)].flatMap(([, id]) => id ?? []));
};

/** The rows that the tests below `root` name, with the file of each. */
const namedByTests = async (root: string): Promise<Naming[]> => {
  const folder = join(root, 'tests');
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(?:test|spec)\.tsx?$/.test(name));
  const texts = await Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })));
  return texts.flatMap(({ name, text }) => namedInText(text).map((id) => ({ id, by: name, machine: null })));
};

/** What is wrong with rows and their names, a line each; nothing when all is well. */
export const rowComplaints = (rows: readonly SpecRow[], namings: readonly Naming[]): string[] => {
  const known = new Map(rows.map((row) => [row.id, row]));
  const named = new Map(namings.map((naming) => [naming.id, naming]));
  const twice = rows.filter((row) => known.get(row.id) !== row);
  const shown = new Set(namings.filter(watchesPage).map(({ id }) => id));
  const unnamed = rows.filter(({ id, waiting }) => waiting === undefined && !shown.has(id));
  const early = rows.flatMap(({ id, waiting }) => (waiting !== undefined && named.has(id) ? [{ id, waiting }] : []));
  return [
    ...twice.map(({ id }) => `${id} stands twice in the list`),
    ...unnamed.map(({ id, says }) => `${id} is named by no machine, no route and no test of the page: ${says}`),
    ...early.map(({ id, waiting }) => `${id} waits for ${waiting}, but ${named.get(id)?.by} names it: it waits no longer`),
    ...[...named.values()].filter(({ id }) => !known.has(id)).map(({ id, by }) => `${id}, named by ${by}, is no row`),
  ];
};

/** The rows that a machine carries, those that something names apart from those that nothing does. */
export const rowsOfMachine = (
  machine: string,
  rows: readonly SpecRow[],
  namings: readonly Naming[],
): { named: string[]; unnamed: string[] } => {
  const own = new Set(namings.filter((naming) => naming.machine === machine).map(({ id }) => id));
  const carried = rows.filter((row) => row.waiting === undefined && (row.of === machine || own.has(row.id)));
  const all = new Set(namings.map(({ id }) => id));
  const ids = carried.map(({ id }) => id);
  return { named: ids.filter((id) => all.has(id)), unnamed: ids.filter((id) => !all.has(id)) };
};
