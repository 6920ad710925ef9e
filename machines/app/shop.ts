import type { AnyStateMachine } from 'xstate';
import { flows, type FlowName } from '../flows/registry.ts';
import { appMachine } from './app.ts';
import type { flowActors } from './flow-actors.ts';
import { frameMachine } from './frame.ts';
import { screenMachine } from './screen.ts';

type Module = Record<string, AnyStateMachine>;

/** A flow's machine out of its module, which may hold several. */
const machineOf = async (name: FlowName, path: string): Promise<[FlowName, AnyStateMachine]> => {
  const module = (await import(/* @vite-ignore */ `../${path}.ts`)) as Module;
  const machine = Object.values(module).find(({ id }) => id === name);
  if (machine === undefined) throw new Error(`machines/${path}.ts has no machine with the id ${name}`);
  return [name, machine];
};

/** The machine of every flow. */
export const flowMachines = Object.fromEntries(
  await Promise.all(flows.map(({ name, machine }) => machineOf(name, machine))),
) as typeof flowActors;

/** The screen with every flow in place. */
export const shopScreenMachine = screenMachine.provide({ actors: flowMachines });

/** The app with everything in place: what path tests explore and replays run. */
export const shopMachine = appMachine.provide({ actors: { screen: shopScreenMachine, frame: frameMachine } });
