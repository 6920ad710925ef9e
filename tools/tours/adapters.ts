import { findFiles, modelFolders } from '../path-models/discovery.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import type { BrowserAdapter } from './browser-adapter.ts';
import { expect } from '@playwright/test';
import type { FlowInput } from '../../machines/flows/flow-input.ts';
import { flows } from '../../machines/flows/registry.ts';
import { hasLeft, parseAddress } from './in-shop.ts';

/** The address of a model's route if it belongs to the flow, else the first example of the flow. */
const getExamplePath = (name: string, { route }: FlowInput): string => {
  const example = flows.find((flow) => flow.name === name)?.routes[0]?.examples[0];
  return parseAddress(route.path).flow === name || example === undefined ? route.path : example;
};

/** The default stage of a flow: its ports are the server's, its headings are not checked. */
export const defaultStage = (name: string, models: PathModel[]): BrowserAdapter => ({
  name,
  models,
  address: (input: FlowInput) => getExamplePath(name, input),
  ports: {},
  shows: async ({ flow }, snapshot) =>
    hasLeft(snapshot) ? expect(flow).toHaveCount(0) : expect(flow).toHaveAttribute('data-state', JSON.stringify(snapshot.value)),
});

const adaptersOf = async (folder: string): Promise<BrowserAdapter[]> => {
  const written = findFiles('tools/tours', folder, 'adapter.ts').map(async (file) => {
    const { adapter } = (await import(/* @vite-ignore */ `./${folder}/${file}`)) as { adapter: BrowserAdapter };
    return adapter;
  });
  const adapters = await Promise.all(written);
  const { models } = (await import(/* @vite-ignore */ `../../machines/path-models/${folder}/paths.ts`)) as {
    models: PathModel[];
  };
  const staged = new Set(adapters.map(({ name }) => name));
  const others = [...Map.groupBy(models, ({ name }) => name)].filter(([name]) => !staged.has(name));
  return [...adapters, ...others.map(([name, own]) => defaultStage(name, own))];
};

/** The stage of every machine: its own one, or a default. */
export const adapters: BrowserAdapter[] = (await Promise.all(modelFolders.map(adaptersOf))).flat();
