import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ownFolders } from '../../tests/support/discovery.ts';
import type { PathModel } from '../../tests/support/path-model.ts';
import { mutantsIn } from './find-mutants.ts';
import type { Mutant } from './mutant.ts';

/** A file of machines, or of what several machines are made of. */
export type MachineFile = {
  file: string;
  /** As the paths name the machines in it; the name of the file where there is none. */
  names: readonly string[];
  mutants: Mutant[];
  /** The tests in its flow's folder, and others that import it. */
  tests: readonly string[];
};

/** Puts the shop's machines together for tests and replays; a change in it changes no machine. */
const notMachines = new Set(['machines/app/shop.ts']);

const sources = (root: string): string[] =>
  globSync('machines/{*,{app,browsing,account,buying,reading}/*}.ts', { cwd: root })
    .filter((file) => !notMachines.has(file))
    .toSorted();

const modelsIn = async (root: string, folder: string): Promise<PathModel[]> => {
  const { models } = (await import(join(root, 'tests', folder, 'paths.ts'))) as { models: PathModel[] };
  return models;
};

/** Tests of units and of views, with their text. */
const testsIn = (root: string): { path: string; text: string }[] =>
  globSync('tests/{flows,shell,client,routes,views}/**/*.test.{ts,tsx}', { cwd: root })
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** The files of machines with all their changes; files in which nothing can be changed are left out. */
export const machineFiles = async (root: string): Promise<MachineFile[]> => {
  const folders = await Promise.all(ownFolders.map(async (folder) => ({ folder, models: await modelsIn(root, folder) })));
  const tests = testsIn(root);
  return sources(root).flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    const mutants = mutantsIn(file, source);
    if (mutants.length === 0) return [];
    const ids = new Set([...source.matchAll(/createMachine\(\{\s*id: '(\w+)'/g)].map(([, id]) => id));
    const isOwn = ({ machine }: PathModel): boolean => ids.has(machine.id);
    const names = new Set(folders.flatMap(({ models }) => models.filter(isOwn).map(({ name }) => name)));
    const own = folders.filter(({ models }) => models.some(isOwn)).map(({ folder }) => `tests/${folder}/`);
    const isOwnTest = ({ path, text }: { path: string; text: string }): boolean =>
      own.some((folder) => path.startsWith(folder)) || text.includes(`/${file}'`);
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
