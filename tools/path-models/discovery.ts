import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { flows, folderOf } from '../../machines/flows/registry.ts';

const project = join(import.meta.dirname, '../..');

const namesIn = (folder: string, pattern: string): string[] =>
  globSync(pattern, { cwd: join(project, folder) })
    .map((path) => basename(path))
    .toSorted();

/** Folders of path models: one for each flow, then those of the machines that run beside flows. */
export const ownFolders: readonly string[] = [
  ...flows.map(({ name }) => `flows/${folderOf(name)}`),
  ...namesIn('machines/path-models/shell', '*').map((name) => `shell/${name}`),
];

/** Files whose names end so, of a folder of path models or of what plays these in the shop. */
export const filesIn = (place: 'machines/path-models' | 'tools/tours', folder: string, end: string): string[] =>
  namesIn(join(place, folder), `{${end},*-${end}}`).toSorted((one, other) => one.length - other.length);
