import { expect } from '@playwright/test';
import type { FlowInput } from '../../../machines/model/flow.ts';
import { flows } from '../../../src/flows/registry.ts';
import type { PathModel } from '../../support/path-model.ts';
import { elsewhere, routeAt } from './in-shop.ts';
import type { Stage } from './stage.ts';

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
  shows: async ({ flow }, { value }) =>
    value === elsewhere ? expect(flow).toHaveCount(0) : expect(flow).toHaveAttribute('data-state', JSON.stringify(value)),
});
