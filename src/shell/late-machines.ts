import type { AnyStateMachine } from 'xstate';
import { flowActors } from '../../machines/app/flow-actors.ts';
import type { appActors } from '../../machines/app/app-actors.ts';
import type { FlowName } from '../flows/registry.ts';

const registered = new Map<string, AnyStateMachine>();

/** The machine of a flow, or of the frame, has been fetched and can be started. */
export const register = (name: FlowName | 'frame', machine: AnyStateMachine): void => {
  registered.set(name, machine);
};

const find = (name: string): AnyStateMachine => {
  const machine = registered.get(name);
  if (machine === undefined) throw new Error(`The machine of ${name} has not been fetched.`);
  return machine;
};

const placeholder = (name: string) =>
  new Proxy({} as AnyStateMachine, {
    get: (_, key) => Reflect.get(find(name), key) as unknown,
    has: (_, key) => Reflect.has(find(name), key),
  });

/** Stands in for the frame's machine until it is fetched. */
export const lateFrame = placeholder('frame') as typeof appActors.frame;

/** Stand in for the flows' machines: whatever is read of one is read of the machine that has been registered. */
export const lateFlows = Object.fromEntries(
  Object.keys(flowActors).map((name) => [name, placeholder(name)]),
) as typeof flowActors;
