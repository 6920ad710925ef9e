import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { flows, toFolderName } from '../../machines/flows/registry.ts';

const project = join(import.meta.dirname, '../..');

const listNames = (folder: string, pattern: string): string[] =>
  globSync(pattern, { cwd: join(project, folder) })
    .map((path) => basename(path))
    .toSorted();

/** Folders of path models: one for each flow, then those of the machines that run beside flows. */
export const modelFolders: readonly string[] = [
  ...flows.map(({ name }) => `flows/${toFolderName(name)}`),
  ...listNames('machines/path-models/shell', '*').map((name) => `shell/${name}`),
];

/**
 * Files that end with `end` in a folder of path models, or of the adapters that play them in the
 * shop.
 */
export const findFiles = (place: 'machines/path-models' | 'tools/tours', folder: string, end: string): string[] =>
  listNames(join(place, folder), `{${end},*-${end}}`).toSorted((one, other) => one.length - other.length);
