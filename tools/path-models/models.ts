import { modelFolders } from './discovery.ts';
import { withAllRejections, type PathModel } from '../../machines/path-models/path-model.ts';

const importModels = async (folder: string): Promise<PathModel[]> => {
  const { models: folderModels } = (await import(/* @vite-ignore */ `../../machines/path-models/${folder}/paths.ts`)) as {
    models: PathModel[];
  };
  return folderModels;
};

/**
 * A model of every machine of the shop for each of its starting conditions: first the flows'
 * machines in registry order, then the shell's. Every port may reject with every kind of `Problem`,
 * no matter which kinds a model names.
 */
export const models: PathModel[] = (await Promise.all(modelFolders.map(importModels))).flat().map(withAllRejections);

/** The models of each machine, one per starting condition, by the machine's name. */
export const modelsByMachine: ReadonlyMap<string, PathModel[]> = Map.groupBy(models, ({ name }) => name);

/** A machine's model by the index of its starting condition. @throws RangeError if it is unknown */
export const getModel = (name: string, index = 0): PathModel => {
  const model = modelsByMachine.get(name)?.[index];
  if (model === undefined)
    throw new RangeError(`${name} has no starting condition ${index}; it has ${modelsByMachine.get(name)?.length ?? 0}`);
  return model;
};
