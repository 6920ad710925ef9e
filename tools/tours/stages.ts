import { filesIn, ownFolders } from '../path-models/discovery.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import type { Stage } from './stage.ts';
import { expect } from '@playwright/test';
import type { FlowInput } from '../../machines/flows/flow-input.ts';
import { flows } from '../../machines/flows/registry.ts';
import { hasLeft, routeAt } from './in-shop.ts';

/** The address of a model's route, where that leads to the flow, else the first example of one. */
const addressOf = (name: string, { route }: FlowInput): string => {
  const example = flows.find((flow) => flow.name === name)?.routes[0]?.examples[0];
  return routeAt(route.path).flow === name || example === undefined ? route.path : example;
};

/** The stage of a flow without one of its own: its ports are the server's, its headings anything. */
export const defaultStage = (name: string, models: PathModel[]): Stage => ({
  name,
  models,
  address: (input: FlowInput) => addressOf(name, input),
  ports: {},
  shows: async ({ flow }, snapshot) =>
    hasLeft(snapshot) ? expect(flow).toHaveCount(0) : expect(flow).toHaveAttribute('data-state', JSON.stringify(snapshot.value)),
});

const stagesOf = async (folder: string): Promise<Stage[]> => {
  const written = filesIn('tools/tours', folder, 'stage.ts').map(async (file) => {
    const { stage } = (await import(/* @vite-ignore */ `./${folder}/${file}`)) as { stage: Stage };
    return stage;
  });
  const stages = await Promise.all(written);
  const { models } = (await import(/* @vite-ignore */ `../../machines/path-models/${folder}/paths.ts`)) as {
    models: PathModel[];
  };
  const staged = new Set(stages.map(({ name }) => name));
  const others = [...Map.groupBy(models, ({ name }) => name)].filter(([name]) => !staged.has(name));
  return [...stages, ...others.map(([name, own]) => defaultStage(name, own))];
};

/** The stage of every machine: the one that stands beside its path models, else one made from these. */
export const stages: Stage[] = (await Promise.all(ownFolders.map(stagesOf))).flat();
