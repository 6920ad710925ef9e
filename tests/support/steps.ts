import type { AnyEventObject, AnyStateMachine } from 'xstate';
import { createStepper, type Effect, type Step } from '../../machines/paths/stepper.ts';

/** The last step of a machine that takes these events one after the other, as a pure function: nothing is started. */
export const after = (machine: AnyStateMachine, input: unknown, ...events: AnyEventObject[]): Step => {
  const stepper = createStepper(machine);
  return events.reduce<Step>(({ snapshot }, event) => stepper.step(snapshot, event), stepper.start(input));
};

export const contextOf = ({ snapshot }: Step): Record<string, unknown> => snapshot.context as Record<string, unknown>;

export const isStart = (effect: Effect): effect is Extract<Effect, { kind: 'start' }> => effect.kind === 'start';
export const isSend = (effect: Effect): effect is Extract<Effect, { kind: 'send' }> => effect.kind === 'send';

/** The answer of a port, and its failure. */
export const done = (port: string, output: unknown) => ({ type: `xstate.done.actor.${port}`, output });
export const failed = (port: string, error: unknown) => ({ type: `xstate.error.actor.${port}`, error });
