import {
  createActor,
  fromTransition,
  type AnyActor,
  type AnyActorScope,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyTransitionDefinition,
} from 'xstate';

/**
 * The effects that a machine requests, in order: actors to start and to stop, events to send,
 * custom actions.
 */
export type Effect =
  | { kind: 'start'; id: string; input: unknown }
  | { kind: 'stop'; id: string }
  | { kind: 'send'; to: string; event: AnyEventObject; delay?: number }
  | { kind: 'action'; type: string; params: unknown };

/**
 * A macrostep: the resulting snapshot, the fired transitions in order, and the requested effects.
 */
export type Step = { snapshot: AnyMachineSnapshot; fired: AnyTransitionDefinition[]; effects: Effect[] };

/**
 * A step with the snapshot before it and its event: null and `xstate.init` at a machine's start.
 */
export type Moment = Step & { before: AnyMachineSnapshot | null; event: AnyEventObject };

type Action = { type: string; params?: unknown };
type StartedActor = { id: string; input?: unknown };
type SentEvent = { to: AnyActor | string; targetId?: string; event: AnyEventObject; delay?: number };

/** Converts an executed action to an effect; null for other built-in actions of XState. */
const toEffect = ({ type, params }: Action): Effect | null => {
  if (type === 'xstate.spawnChild') {
    const { id, input } = params as StartedActor;
    return { kind: 'start', id, input };
  }
  if (type === 'xstate.stopChild') {
    const child = params as AnyActor | undefined;
    return child ? { kind: 'stop', id: child.id } : null;
  }
  if (type === 'xstate.sendTo' || type === 'xstate.raise') {
    const { to, targetId, event, delay } = params as SentEvent;
    const target = targetId ?? (type === 'xstate.raise' ? '#_internal' : typeof to === 'string' ? to : to.id);
    return { kind: 'send', to: target, event, ...(delay === undefined ? {} : { delay }) };
  }
  return type.startsWith('xstate.') ? null : { kind: 'action', type, params };
};

export type Stepper = {
  start: (input: unknown) => Step;
  /** @throws any error of the machine's own assigns, guards and inputs */
  step: (snapshot: AnyMachineSnapshot, event: AnyEventObject) => Step;
};

/**
 * Runs a machine as a pure function: executes no action, starts no actor and has no side effects.
 * The scope has a parent, so that `sendParent` resolves; the fired transitions are taken from
 * XState's inspection of microsteps.
 */
export const createStepper = (machine: AnyStateMachine): Stepper => {
  const emptyLogic = fromTransition((state: object) => state, {});
  const parent = createActor(emptyLogic);
  const self = createActor(emptyLogic, { parent });
  let fired: AnyTransitionDefinition[] = [];
  let effects: Effect[] = [];
  parent.system.inspect((event) => {
    // A child machine takes its first steps when it is created; these belong to another actor.
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
    actionExecutor: (action: Action) => {
      const effect = toEffect(action);
      if (effect) effects.push(effect);
    },
    system: { ...parent.system, _set: () => {}, _unregister: () => {} },
  } as unknown as AnyActorScope;
  const recordStep = (run: () => AnyMachineSnapshot): Step => {
    fired = [];
    effects = [];
    const snapshot = run();
    return { snapshot, fired: [...new Set(fired)], effects };
  };
  return {
    start: (input) => recordStep(() => machine.getInitialSnapshot(scope, input)),
    step: (snapshot, event) => recordStep(() => machine.transition(snapshot, event, scope)),
  };
};
