import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { flows, toFolderName } from '../../machines/flows/registry.ts';

const root = join(import.meta.dirname, '../..');

const listNames = (folder: string, pattern: string): string[] =>
  globSync(pattern, { cwd: join(root, folder) })
    .map((path) => basename(path))
    .toSorted();

/**
 * Folders of path models: one for each flow, then the folders of the machines that run beside
 * flows.
 */
export const modelFolders: readonly string[] = [
  ...flows.map(({ name }) => `flows/${toFolderName(name)}`),
  ...listNames('machines/path-models/shell', '*').map((name) => `shell/${name}`),
];

/**
 * Names of the files `<suffix>` and `…-<suffix>`, the shortest first, in a folder of path models or
 * of the adapters that play them in the shop.
 */
export const findFiles = (base: 'machines/path-models' | 'tools/tours', folder: string, suffix: string): string[] =>
  listNames(join(base, folder), `{${suffix},*-${suffix}}`).toSorted((one, other) => one.length - other.length);
