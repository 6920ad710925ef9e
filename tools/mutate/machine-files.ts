import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ownFolders } from '../path-models/discovery.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { mutantsIn } from './find-mutants.ts';
import { machineFileOf, type Mutant } from './mutant.ts';

/** A file of machines, or of what several machines are made of. */
export type MachineFile = {
  file: string;
  /** As the paths name the machines in it or beside its setup; else the name of the file. */
  names: readonly string[];
  mutants: Mutant[];
  /** The tests in its flow's folder, and others that import it; without a machine in it, those of the machines made of it too. */
  tests: readonly string[];
};

/** Puts the shop's machines together for tests and replays; a change in it changes no machine. */
const notMachines = new Set(['machines/app/shop.ts']);

const sources = (root: string): string[] =>
  globSync('machines/{*,{app,browsing,account,buying,reading}/**/*}.ts', { cwd: root })
    .filter((file) => !notMachines.has(file))
    .toSorted();

const modelsIn = async (root: string, folder: string): Promise<PathModel[]> => {
  const { models } = (await import(join(root, 'machines/path-models', folder, 'paths.ts'))) as { models: PathModel[] };
  return models;
};

/** Tests of units and of views, with their text. */
const testsIn = (root: string): { path: string; text: string }[] =>
  globSync('tests/{flows,shell,client,routes,views,paths}/**/*.test.{ts,tsx}', { cwd: root })
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const idsIn = (source: string): ReadonlySet<string> =>
  new Set([...source.matchAll(/createMachine\(\{\s*id: '(\w+)'/g)].map(([, id = '']) => id));

/** By file of machines, the others that import it, types apart. */
const importersIn = (files: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> => {
  const imports = [...files].flatMap(([importer, source]) =>
    [...source.matchAll(/^(?:import|export) (?!type )[^;]*? from '(\.[^']+)'/gm)].map(([, path = '']) => ({
      importer,
      imported: join(dirname(importer), path),
    })),
  );
  return new Map(
    [...Map.groupBy(imports, ({ imported }) => imported)].map(([file, by]) => [file, by.map(({ importer }) => importer)]),
  );
};

/** The ids of the machines that a file holds; without one, of those that import it, be it through others like it. */
const madeOf = (
  file: string,
  importers: ReadonlyMap<string, readonly string[]>,
  ids: ReadonlyMap<string, ReadonlySet<string>>,
) => {
  const seen = new Set([file]);
  for (const part of seen) {
    // Who imports a machine has its own tests.
    if ((ids.get(part)?.size ?? 0) > 0) continue;
    for (const importer of importers.get(part) ?? []) seen.add(importer);
  }
  return new Set([...seen].flatMap((part) => [...(ids.get(part) ?? [])]));
};

/** The files of machines with all their changes; files in which nothing can be changed are left out. */
export const machineFiles = async (root: string): Promise<MachineFile[]> => {
  const folders = await Promise.all(ownFolders.map(async (folder) => ({ folder, models: await modelsIn(root, folder) })));
  const tests = testsIn(root);
  const files = new Map(sources(root).map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const ids = new Map([...files].map(([file, source]) => [file, idsIn(source)]));
  const importers = importersIn(files);
  return [...files].flatMap(([file, source]) => {
    const mutants = mutantsIn(file, source);
    if (mutants.length === 0) return [];
    const own = ids.get(machineFileOf(file)) ?? new Set();
    const names = new Set(
      folders.flatMap(({ models }) => models.filter(({ machine }) => own.has(machine.id)).map(({ name }) => name)),
    );
    const made = madeOf(file, importers, ids);
    const ownTests = folders.filter(({ models }) => models.some(({ machine }) => made.has(machine.id)));
    const isOwnTest = ({ path, text }: { path: string; text: string }): boolean =>
      ownTests.some(({ folder }) => path.startsWith(`tests/${folder}/`)) ||
      [file, machineFileOf(file)].some((each) => text.includes(`/${each}'`));
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
