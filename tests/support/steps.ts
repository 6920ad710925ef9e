import type { AnyEventObject, AnyStateMachine } from 'xstate';
import { createStepper, type Effect, type Step } from '../../machines/paths/stepper.ts';

/** The last step of a machine after these events, computed as a pure function: no actor starts. */
export const stepThrough = (machine: AnyStateMachine, input: unknown, ...events: AnyEventObject[]): Step => {
  const stepper = createStepper(machine);
  return events.reduce<Step>(({ snapshot }, event) => stepper.step(snapshot, event), stepper.start(input));
};

export const getContext = ({ snapshot }: Step): Record<string, unknown> => snapshot.context as Record<string, unknown>;

export const isStartEffect = (effect: Effect): effect is Extract<Effect, { kind: 'start' }> => effect.kind === 'start';
export const isSendEffect = (effect: Effect): effect is Extract<Effect, { kind: 'send' }> => effect.kind === 'send';

/** The event of an actor's result. */
export const doneEvent = (port: string, output: unknown) => ({ type: `xstate.done.actor.${port}`, output });

/** The event of an actor's error. */
export const errorEvent = (port: string, error: unknown) => ({ type: `xstate.error.actor.${port}`, error });
