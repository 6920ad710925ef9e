import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { flows, folderOf } from '../../src/flows/registry.ts';

const tests = join(import.meta.dirname, '..');

/** Folders below `tests/` that hold what belongs to the machines in them: one for each flow, then those that run beside flows. */
export const ownFolders: readonly string[] = [
  ...flows.map(({ name }) => `flows/${folderOf(name)}`),
  ...readdirSync(join(tests, 'shell'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `shell/${name}`)
    .toSorted(),
];

/** The files of one of these folders whose names end so. */
export const filesIn = (folder: string, end: string): string[] =>
  readdirSync(join(tests, folder))
    .filter((name) => name === end || name.endsWith(`-${end}`))
    .toSorted((one, other) => one.length - other.length);
