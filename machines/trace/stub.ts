import {
  fromCallback,
  type AnyActor,
  type AnyActorLogic,
  type AnyActorRef,
  type AnyEventObject,
  type AnyStateMachine,
  type EventObject,
  type Snapshot,
} from 'xstate';
import type { Input } from './format.ts';
import { isMachine, getLogicKind, type LogicKind } from './kinds.ts';
import { revivePlain } from './plain.ts';

/** Returns the recorded answers of an effect while it handled its n-th event. */
export type Answers = (actor: AnyActor, turn: number) => Input[];

/** Events with which the replay settles a stubbed effect. */
export const doneType = '@replay.done';
export const failedType = '@replay.failed';

type InertState = Snapshot<unknown> & { input?: unknown };
type Start = (state: InertState, scope: { self: AnyActorRef }) => void;

const applySettled = (state: InertState, event: AnyEventObject): InertState => {
  if (event.type === doneType)
    return { ...state, status: 'done', output: event['output'] as unknown, input: undefined } as InertState;
  if (event.type === failedType)
    return { ...state, status: 'error', error: event['error'] as unknown, input: undefined } as InertState;
  return event.type === 'xstate.stop' ? ({ ...state, status: 'stopped', input: undefined } as InertState) : state;
};

const toEvent = (input: Input): EventObject =>
  input.kind === 'start' ? { type: '' } : (revivePlain(input.event) as EventObject);

/**
 * Sends the events that the effect sent in this turn, to its parent or (for `observed`) to itself.
 * @throws the effect's rejection, if it rejected in this turn
 */
const sendAnswers = (answers: Answers, actor: AnyActorRef, turn: number, sendToParent: (event: EventObject) => void): void => {
  for (const input of answers(actor as AnyActor, turn)) {
    // The effect’s own rejection, which may be any value.
    if (input.kind === 'settled') throw revivePlain(input.event['error'] ?? null);
    if (input.kind === 'observed') actor.send(toEvent(input));
    else sendToParent(toEvent(input));
  }
};

const createInertPromise = (logic: AnyActorLogic, answers: Answers): AnyActorLogic => {
  const start: Start = (_, { self }) => sendAnswers(answers, self, 0, () => {});
  return { ...logic, start, transition: applySettled } as AnyActorLogic;
};

const createInertObservable = (logic: AnyActorLogic, answers: Answers): AnyActorLogic => {
  const start: Start = (state, { self }) => {
    Object.assign(state, { _subscription: { unsubscribe: () => {} } });
    sendAnswers(answers, self, 0, (event) => (self as AnyActor)._parent?.send(event));
  };
  return { ...logic, start } as AnyActorLogic;
};

const createInertCallback = (answers: Answers): AnyActorLogic =>
  Object.assign(
    fromCallback<EventObject>(({ self, sendBack, receive }) => {
      let turn = 0;
      receive((event) => {
        if (event.type === failedType) throw (event as AnyEventObject)['error'];
        turn += 1;
        sendAnswers(answers, self, turn, sendBack);
      });
      sendAnswers(answers, self, 0, sendBack);
    }),
    { kind: 'callback' as const },
  ) as AnyActorLogic;

const createInert: Record<LogicKind, (logic: AnyActorLogic, answers: Answers) => AnyActorLogic> = {
  machine: (logic, answers) => (isMachine(logic) ? stub(logic, answers) : logic),
  pure: (logic) => logic,
  promise: createInertPromise,
  callback: (_, answers) => createInertCallback(answers),
  observable: createInertObservable,
};

const mapRecord = <From, To>(record: Record<string, From>, transform: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, transform(value)]));

/**
 * Whether an action is one of XState's built-in actions, which have `resolve`. Custom actions are
 * plain functions.
 */
const isBuiltIn = (action: unknown): boolean => typeof action === 'function' && 'resolve' in action;

/** A copy of the machine in which every effect is inert, at every depth. */
export const stub = (machine: AnyStateMachine, answers: Answers): AnyStateMachine => {
  const { actors, actions } = machine.implementations as {
    actors: Record<string, AnyActorLogic>;
    actions: Record<string, unknown>;
  };
  return machine.provide({
    actors: mapRecord(actors, (logic) => createInert[getLogicKind(logic)](logic, answers)),
    actions: mapRecord(actions, (action) => (isBuiltIn(action) ? action : () => {})),
  } as Parameters<AnyStateMachine['provide']>[0]);
};
