import type { AnyStateMachine } from 'xstate';
import { flows, type FlowName } from '../flows/registry.ts';
import { appMachine } from './app.ts';
import type { flowActors } from './flow-actors.ts';
import { frameMachine } from './frame.ts';
import { screenMachine } from './screen.ts';

type MachineModule = Record<string, AnyStateMachine>;

/** Loads a flow's machine from its module, which may export several machines. */
const importMachine = async (name: FlowName, path: string): Promise<[FlowName, AnyStateMachine]> => {
  const module = (await import(/* @vite-ignore */ `../${path}.ts`)) as MachineModule;
  const machine = Object.values(module).find(({ id }) => id === name);
  if (machine === undefined) throw new Error(`machines/${path}.ts has no machine with the id ${name}`);
  return [name, machine];
};

/** The machine of every flow. */
export const flowMachines = Object.fromEntries(
  await Promise.all(flows.map(({ name, machine }) => importMachine(name, machine))),
) as typeof flowActors;

/** The screen with the machines of all flows. */
export const shopScreenMachine = screenMachine.provide({ actors: flowMachines });

/** The complete app: path tests explore it, and replays run it. */
export const shopMachine = appMachine.provide({ actors: { screen: shopScreenMachine, frame: frameMachine } });
