import type { AnyStateMachine } from 'xstate';
import { flows } from '../../machines/flows.ts';
import type { FlowName } from '../../machines/model/route.ts';
import type { standing } from '../../machines/standing.ts';

const arrived = new Map<string, AnyStateMachine>();

/** The machine of a flow, or of the frame, is there and can be started. */
export const arrive = (name: FlowName | 'frame', machine: AnyStateMachine): void => {
  arrived.set(name, machine);
};

const look = (name: string): AnyStateMachine => {
  const machine = arrived.get(name);
  if (machine === undefined) throw new Error(`The machine of ${name} has not been fetched.`);
  return machine;
};

const standIn = (name: string) =>
  new Proxy({} as AnyStateMachine, {
    get: (_, key) => Reflect.get(look(name), key) as unknown,
    has: (_, key) => Reflect.has(look(name), key),
  });

/** A stand-in for the frame's machine. */
export const lateFrame = standIn('frame') as typeof standing.frame;

/** Stand-ins for the flows' machines: every look at one is a look at the machine that has arrived. */
export const lateFlows = Object.fromEntries(Object.keys(flows).map((name) => [name, standIn(name)])) as unknown as typeof flows;
