import type { AnyStateMachine } from 'xstate';
import { flowActors } from '../../../machines/app/flow-actors.ts';
import type { appActors } from '../../../machines/app/app-actors.ts';
import type { FlowName } from '../../../machines/flows/registry.ts';

/** Machines that are loaded lazily: their placeholders until then, and their registration. */
export const createLazyMachines = () => {
  const machines = new Map<string, AnyStateMachine>();

  const findMachine = (name: string): AnyStateMachine => {
    const machine = machines.get(name);
    if (machine === undefined) throw new Error(`The machine of ${name} has not been loaded.`);
    return machine;
  };

  const createPlaceholder = (name: string) =>
    new Proxy({} as AnyStateMachine, {
      get: (_, key) => Reflect.get(findMachine(name), key) as unknown,
      has: (_, key) => Reflect.has(findMachine(name), key),
    });

  return {
    /** Registers a loaded machine of a flow, or of the frame, which can then be started. */
    register: (name: FlowName | 'frame', machine: AnyStateMachine): void => void machines.set(name, machine),
    /** The placeholder of the frame's machine until it is loaded. */
    frame: createPlaceholder('frame') as typeof appActors.frame,
    /** Placeholders of the flows' machines: every property is read from the registered machine. */
    flows: Object.fromEntries(Object.keys(flowActors).map((name) => [name, createPlaceholder(name)])) as typeof flowActors,
  };
};

export type LazyMachines = ReturnType<typeof createLazyMachines>;
