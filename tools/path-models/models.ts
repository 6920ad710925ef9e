import { modelFolders } from './discovery.ts';
import { withAllRejections, type PathModel } from '../../machines/path-models/path-model.ts';

const importModels = async (folder: string): Promise<PathModel[]> => {
  const { models: own } = (await import(/* @vite-ignore */ `../../machines/path-models/${folder}/paths.ts`)) as {
    models: PathModel[];
  };
  return own;
};

/**
 * Every machine of the shop, once for each of its starting conditions: first the flows' in registry
 * order, then the shell's. Every port may reject with every kind of `Problem`, no matter which
 * kinds a model names.
 */
export const models: PathModel[] = (await Promise.all(modelFolders.map(importModels))).flat().map(withAllRejections);

/** The starting conditions of each machine, by its name. */
export const modelsByMachine: ReadonlyMap<string, PathModel[]> = Map.groupBy(models, ({ name }) => name);

/** A machine's starting condition by its index. @throws RangeError for an unknown index */
export const getModel = (name: string, place = 0): PathModel => {
  const start = modelsByMachine.get(name)?.[place];
  if (start === undefined) throw new RangeError(`${name} has no starting condition ${place}`);
  return start;
};
