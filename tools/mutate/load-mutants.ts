import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { applyMutant, type Mutant } from './mutant.ts';

/**
 * Loads modules of the project with one file mutated; modules that do not import that file are
 * loaded only once.
 */
export type Loader = {
  /** Loads the original module, by its path in the project. */
  load: (path: string) => Promise<object>;
  /** Loads the module with a mutation. @throws the error of the mutated module when it is loaded */
  loadChanged: (path: string, mutant: Mutant) => Promise<object>;
  /** The loaded files that import `file`, directly or indirectly, and `file` itself. */
  getDependents: (file: string) => ReadonlySet<string>;
};

const MUTANT_QUERY = 'mutant';

const getPath = (root: string, url: string): string => relative(root, fileURLToPath(url.split('?')[0] ?? url));

export const createLoader = (root: string): Loader => {
  const importers = new Map<string, Set<string>>();
  const numbers = new Map<string, string>();
  const mutants = new Map<string, { mutant: Mutant; files: ReadonlySet<string> }>();
  const getMutantNumber = (url: string | undefined) =>
    url?.startsWith('file:') ? new URL(url).searchParams.get(MUTANT_QUERY) : null;

  registerHooks({
    resolve: (specifier, context, next) => {
      const resolution = next(specifier, context);
      const { parentURL } = context;
      if (!resolution.url.startsWith('file:') || resolution.url.includes('node_modules') || !parentURL?.startsWith('file:')) {
        return resolution;
      }
      const path = getPath(root, resolution.url);
      importers.set(path, (importers.get(path) ?? new Set()).add(getPath(root, parentURL)));
      const number = getMutantNumber(parentURL);
      const isReached = number !== null && mutants.get(number)?.files.has(path);
      return isReached ? { ...resolution, url: `${resolution.url}?${MUTANT_QUERY}=${number}` } : resolution;
    },
    load: (url, context, next) => {
      const mutant = mutants.get(getMutantNumber(url) ?? '')?.mutant;
      if (!mutant || getPath(root, url) !== mutant.file) return next(url, context);
      const source = applyMutant(readFileSync(join(root, mutant.file), 'utf8'), mutant);
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });

  const toUrl = (path: string): string => pathToFileURL(join(root, path)).href;
  const getDependents = (file: string): ReadonlySet<string> => {
    const dependentFiles = new Set([file]);
    for (const path of dependentFiles) for (const importer of importers.get(path) ?? []) dependentFiles.add(importer);
    return dependentFiles;
  };
  return {
    load: async (path) => (await import(toUrl(path))) as object,
    loadChanged: async (path, mutant) => {
      if (!numbers.has(mutant.key)) {
        numbers.set(mutant.key, `${numbers.size}`);
        mutants.set(`${numbers.size - 1}`, { mutant, files: getDependents(mutant.file) });
      }
      return (await import(`${toUrl(path)}?${MUTANT_QUERY}=${numbers.get(mutant.key) ?? ''}`)) as object;
    },
    getDependents,
  };
};
