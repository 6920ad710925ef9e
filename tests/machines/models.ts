import { appModels } from './app.paths.ts';
import { flowModels } from './flows.paths.ts';
import { frameModels } from './frame.paths.ts';
import type { PathModel } from './model.ts';
import { pageModels } from './pages.paths.ts';
import { purchaseModels } from './purchase.paths.ts';
import { readingModels } from './reading.paths.ts';

/** Every machine of the shop, once for each of its starting conditions. */
export const models: PathModel[] = [
  ...appModels,
  ...flowModels,
  ...pageModels,
  ...frameModels,
  ...purchaseModels,
  ...readingModels,
];

/** The starting conditions of each machine, by its name. */
export const startsOf: ReadonlyMap<string, PathModel[]> = Map.groupBy(models, ({ name }) => name);
