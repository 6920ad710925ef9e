import { findFiles, modelFolders } from '../path-models/discovery.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import type { BrowserAdapter } from './browser-adapter.ts';
import { expect } from '@playwright/test';
import type { FlowInput } from '../../machines/flows/flow-input.ts';
import { flows } from '../../machines/flows/registry.ts';
import { hasLeft, parseAddress } from './in-shop.ts';

/** Returns the path of a model's route if it belongs to the flow, else the flow's first example. */
const getExamplePath = (name: string, { route }: FlowInput): string => {
  const example = flows.find((flow) => flow.name === name)?.routes[0]?.examples[0];
  return parseAddress(route.path).flow === name || example === undefined ? route.path : example;
};

/**
 * Creates the adapter of a flow without an `adapter.ts`: its requests are not held, its headings
 * not checked.
 */
export const createDefaultAdapter = (name: string, models: PathModel[]): BrowserAdapter => ({
  name,
  models,
  getStartPath: (input: FlowInput) => getExamplePath(name, input),
  ports: {},
  checkState: async ({ flow }, snapshot) =>
    hasLeft(snapshot) ? expect(flow).toHaveCount(0) : expect(flow).toHaveAttribute('data-state', JSON.stringify(snapshot.value)),
});

const loadAdapters = async (folder: string): Promise<BrowserAdapter[]> => {
  const adapterPromises = findFiles('tools/tours', folder, 'adapter.ts').map(async (file) => {
    const { adapter } = (await import(/* @vite-ignore */ `./${folder}/${file}`)) as { adapter: BrowserAdapter };
    return adapter;
  });
  const adapters = await Promise.all(adapterPromises);
  const { models } = (await import(/* @vite-ignore */ `../../machines/path-models/${folder}/paths.ts`)) as {
    models: PathModel[];
  };
  const adapterNames = new Set(adapters.map(({ name }) => name));
  const modelsWithoutAdapter = [...Map.groupBy(models, ({ name }) => name)].filter(([name]) => !adapterNames.has(name));
  return [...adapters, ...modelsWithoutAdapter.map(([name, machineModels]) => createDefaultAdapter(name, machineModels))];
};

/** The adapter of every machine: from its `adapter.ts`, or a default one. */
export const adapters: BrowserAdapter[] = (await Promise.all(modelFolders.map(loadAdapters))).flat();
