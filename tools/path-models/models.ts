import { ownFolders } from './discovery.ts';
import { rejecting, type PathModel } from '../../machines/path-models/path-model.ts';

const modelsOf = async (folder: string): Promise<PathModel[]> => {
  const { models: own } = (await import(/* @vite-ignore */ `../../machines/path-models/${folder}/paths.ts`)) as {
    models: PathModel[];
  };
  return own;
};

/**
 * Every machine of the shop, once for each of its starting conditions: the flows' in the registry's order, then the shell's.
 * Every port may reject with every kind of `Problem`, whichever of them a model names.
 */
export const models: PathModel[] = (await Promise.all(ownFolders.map(modelsOf))).flat().map(rejecting);

/** The starting conditions of each machine, by its name. */
export const startsOf: ReadonlyMap<string, PathModel[]> = Map.groupBy(models, ({ name }) => name);

/** A machine's starting condition, by its place among the machine's. @throws RangeError where there is none. */
export const startOf = (name: string, place = 0): PathModel => {
  const start = startsOf.get(name)?.[place];
  if (start === undefined) throw new RangeError(`${name} has no start ${place}`);
  return start;
};
