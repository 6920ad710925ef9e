import {
  createActor,
  fromTransition,
  type AnyActorScope,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
} from 'xstate';

/** A macrostep: where it led and which of the machine's transitions fired, in order. */
export type Step = { snapshot: AnyMachineSnapshot; fired: AnyTransitionDefinition[] };

export type Stepper = {
  start: (input: unknown) => Step;
  /** @throws what the machine throws in its own assigns, guards and inputs. */
  step: (snapshot: AnyMachineSnapshot, event: AnyEventObject) => Step;
};

/**
 * Runs a machine as a pure function: no action is executed, no actor is started, nothing outside is touched. The scope has
 * a parent, so that `sendParent` resolves; XState's inspection of microsteps tells which transitions fired.
 */
export const createStepper = (machine: AnyStateMachine): Stepper => {
  const still = fromTransition((state: object) => state, {});
  const parent = createActor(still);
  const self = createActor(still, { parent });
  let fired: AnyTransitionDefinition[] = [];
  parent.system.inspect((event) => {
    // A machine that is invoked or spawned takes its first steps when it is made; those are its own.
    if (event.type === '@xstate.microstep' && event.actorRef === self) fired.push(...event._transitions);
  });
  const scope = {
    self,
    id: machine.id,
    sessionId: self.sessionId,
    logger: () => {},
    defer: () => {},
    emit: () => {},
    stopChild: () => {},
    actionExecutor: () => {},
    system: { ...parent.system, _set: () => {}, _unregister: () => {} },
  } as unknown as AnyActorScope;
  const watched = (run: () => AnyMachineSnapshot): Step => {
    fired = [];
    const snapshot = run();
    return { snapshot, fired: [...new Set(fired)] };
  };
  return {
    start: (input) => watched(() => machine.getInitialSnapshot(scope, input)),
    step: (snapshot, event) => watched(() => machine.transition(snapshot, event, scope)),
  };
};
