import type { AnyStateMachine } from 'xstate';
import { flowActors } from '../../../machines/app/flow-actors.ts';
import type { appActors } from '../../../machines/app/app-actors.ts';
import type { FlowName } from '../../../machines/flows/registry.ts';

/** Machines that are fetched while the shop runs: what stands in for them until then, and how each takes its place. */
export const createLateMachines = () => {
  const registered = new Map<string, AnyStateMachine>();

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

  return {
    /** The machine of a flow, or of the frame, has been fetched and can be started. */
    register: (name: FlowName | 'frame', machine: AnyStateMachine): void => void registered.set(name, machine),
    /** Stands in for the frame's machine until it is fetched. */
    frame: placeholder('frame') as typeof appActors.frame,
    /** Stand in for the flows' machines: whatever is read of one is read of the machine that has been registered. */
    flows: Object.fromEntries(Object.keys(flowActors).map((name) => [name, placeholder(name)])) as typeof flowActors,
  };
};

export type LateMachines = ReturnType<typeof createLateMachines>;
