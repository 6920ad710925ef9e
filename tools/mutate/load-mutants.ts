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
  /** Loads it with a mutation. @throws the error of the mutated module while it is loaded */
  loadChanged: (path: string, mutant: Mutant) => Promise<object>;
  /** The loaded files that import this one, directly or indirectly, and itself. */
  dependents: (file: string) => ReadonlySet<string>;
};

const MUTANT_QUERY = 'mutant';

const getPath = (root: string, url: string): string => relative(root, fileURLToPath(url.split('?')[0] ?? url));

export const createLoader = (root: string): Loader => {
  const importers = new Map<string, Set<string>>();
  const numbers = new Map<string, string>();
  const mutants = new Map<string, { mutant: Mutant; reached: ReadonlySet<string> }>();
  const chosenIn = (url: string | undefined) => (url?.startsWith('file:') ? new URL(url).searchParams.get(MUTANT_QUERY) : null);

  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      const { parentURL } = context;
      if (!resolved.url.startsWith('file:') || resolved.url.includes('node_modules') || !parentURL?.startsWith('file:')) {
        return resolved;
      }
      const path = getPath(root, resolved.url);
      importers.set(path, (importers.get(path) ?? new Set()).add(getPath(root, parentURL)));
      const chosen = chosenIn(parentURL);
      const isReached = chosen !== null && mutants.get(chosen)?.reached.has(path);
      return isReached ? { ...resolved, url: `${resolved.url}?${MUTANT_QUERY}=${chosen}` } : resolved;
    },
    load: (url, context, next) => {
      const mutant = mutants.get(chosenIn(url) ?? '')?.mutant;
      if (!mutant || getPath(root, url) !== mutant.file) return next(url, context);
      const source = applyMutant(readFileSync(join(root, mutant.file), 'utf8'), mutant);
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });

  const urlOf = (path: string): string => pathToFileURL(join(root, path)).href;
  const dependents = (file: string): ReadonlySet<string> => {
    const reached = new Set([file]);
    for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer);
    return reached;
  };
  return {
    load: async (path) => (await import(urlOf(path))) as object,
    loadChanged: async (path, mutant) => {
      if (!numbers.has(mutant.key)) {
        numbers.set(mutant.key, `${numbers.size}`);
        mutants.set(`${numbers.size - 1}`, { mutant, reached: dependents(mutant.file) });
      }
      return (await import(`${urlOf(path)}?${MUTANT_QUERY}=${numbers.get(mutant.key) ?? ''}`)) as object;
    },
    dependents,
  };
};
