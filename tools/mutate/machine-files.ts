import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { modelFolders } from '../path-models/discovery.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { findMutants } from './find-mutants.ts';
import { getMachineFile, type Mutant } from './mutant.ts';

/** A file with machines, or with parts that machines share. */
export type MachineFile = {
  file: string;
  /**
   * The machines in the file or beside its setup, as named by the paths; otherwise the name of the
   * file.
   */
  names: readonly string[];
  mutants: Mutant[];
  /**
   * The tests in the folder of the file's flow, and others that import the file; for a file without
   * machines, also the tests of the machines that use it.
   */
  tests: readonly string[];
};

/** Files that assemble machines for tests and replays; they define no machine to mutate. */
const excludedFiles = new Set(['machines/app/shop.ts']);

const listSources = (root: string): string[] =>
  globSync('machines/{*,{app,browsing,account,buying,reading}/**/*}.ts', { cwd: root })
    .filter((file) => !excludedFiles.has(file))
    .toSorted();

const importModels = async (root: string, folder: string): Promise<PathModel[]> => {
  const { models } = (await import(join(root, 'machines/path-models', folder, 'paths.ts'))) as { models: PathModel[] };
  return models;
};

/** Unit and view tests, with their text. */
const readTests = (root: string): { path: string; text: string }[] =>
  globSync('tests/{flows,shell,client,routes,views,paths}/**/*.test.{ts,tsx}', { cwd: root })
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const readMachineIds = (source: string): ReadonlySet<string> =>
  new Set([...source.matchAll(/createMachine\(\{\s*id: '(\w+)'/g)].map(([, id = '']) => id));

/** The importers of each file among the machines' files, without type imports. */
const findImporters = (files: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> => {
  const imports = [...files].flatMap(([importer, source]) =>
    [...source.matchAll(/^(?:import|export) (?!type )[^;]*? from '(\.[^']+)'/gm)].map(([, path = '']) => ({
      importer,
      imported: join(dirname(importer), path),
    })),
  );
  return new Map(
    [...Map.groupBy(imports, ({ imported }) => imported)].map(([file, fileImports]) => [
      file,
      fileImports.map(({ importer }) => importer),
    ]),
  );
};

/**
 * The ids of the machines in a file; if it has none, of those that import it, directly or through
 * other such files.
 */
const findMachineIds = (
  file: string,
  importers: ReadonlyMap<string, readonly string[]>,
  ids: ReadonlyMap<string, ReadonlySet<string>>,
) => {
  const files = new Set([file]);
  for (const part of files) {
    // The importers of a machine have their own tests.
    if ((ids.get(part)?.size ?? 0) > 0) continue;
    for (const importer of importers.get(part) ?? []) files.add(importer);
  }
  return new Set([...files].flatMap((part) => [...(ids.get(part) ?? [])]));
};

/** The files of machines with all their mutants; files without mutants are omitted. */
export const findMachineFiles = async (root: string): Promise<MachineFile[]> => {
  const folders = await Promise.all(modelFolders.map(async (folder) => ({ folder, models: await importModels(root, folder) })));
  const tests = readTests(root);
  const files = new Map(listSources(root).map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const ids = new Map([...files].map(([file, source]) => [file, readMachineIds(source)]));
  const importers = findImporters(files);
  return [...files].flatMap(([file, source]) => {
    const mutants = findMutants(file, source);
    if (mutants.length === 0) return [];
    const ownIds = ids.get(getMachineFile(file)) ?? new Set();
    const names = new Set(
      folders.flatMap(({ models }) => models.filter(({ machine }) => ownIds.has(machine.id)).map(({ name }) => name)),
    );
    const testedIds = findMachineIds(file, importers, ids);
    const testedFolders = folders.filter(({ models }) => models.some(({ machine }) => testedIds.has(machine.id)));
    const isOwnTest = ({ path, text }: { path: string; text: string }): boolean =>
      testedFolders.some(({ folder }) => path.startsWith(`tests/${folder}/`)) ||
      [file, getMachineFile(file)].some((each) => text.includes(`/${each}'`));
    return [
      {
        file,
        names: names.size > 0 ? [...names] : [basename(file, '.ts')],
        mutants,
        tests: tests.filter(isOwnTest).map(({ path }) => path),
      },
    ];
  });
};
