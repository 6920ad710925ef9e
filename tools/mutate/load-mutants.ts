import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { changed, type Mutant } from './mutant.ts';

/** Loads modules of the project again with one file changed; what does not import that file is loaded once for all. */
export type Loader = {
  /** A module as it is, by its path in the project. */
  load: (path: string) => Promise<object>;
  /** The same with a change. @throws what the changed module throws while it is loaded. */
  loadChanged: (path: string, mutant: Mutant) => Promise<object>;
  /** The loaded files that import this one, directly or not, and itself. */
  dependents: (file: string) => ReadonlySet<string>;
};

const mark = 'mutant';

const pathOf = (root: string, url: string): string => relative(root, fileURLToPath(url.split('?')[0] ?? url));

export const createLoader = (root: string): Loader => {
  const importers = new Map<string, Set<string>>();
  const numbers = new Map<string, string>();
  const mutants = new Map<string, { mutant: Mutant; reached: ReadonlySet<string> }>();
  const chosenIn = (url: string | undefined) => (url?.startsWith('file:') ? new URL(url).searchParams.get(mark) : null);

  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      const { parentURL } = context;
      if (!resolved.url.startsWith('file:') || resolved.url.includes('node_modules') || !parentURL?.startsWith('file:')) {
        return resolved;
      }
      const path = pathOf(root, resolved.url);
      importers.set(path, (importers.get(path) ?? new Set()).add(pathOf(root, parentURL)));
      const chosen = chosenIn(parentURL);
      const isReached = chosen !== null && mutants.get(chosen)?.reached.has(path);
      return isReached ? { ...resolved, url: `${resolved.url}?${mark}=${chosen}` } : resolved;
    },
    load: (url, context, next) => {
      const mutant = mutants.get(chosenIn(url) ?? '')?.mutant;
      if (!mutant || pathOf(root, url) !== mutant.file) return next(url, context);
      const source = changed(readFileSync(join(root, mutant.file), 'utf8'), mutant);
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
      return (await import(`${urlOf(path)}?${mark}=${numbers.get(mutant.key) ?? ''}`)) as object;
    },
    dependents,
  };
};
