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
import { isMachine, kindOf, type LogicKind } from './kinds.ts';
import { revived } from './plain.ts';

/** What an effect answered inside its own n-th turn, out of the trace. */
export type Answers = (actor: AnyActor, turn: number) => Input[];

/** Events with which the replayer settles a stubbed effect. */
export const doneType = '@replay.done';
export const failedType = '@replay.failed';

type Inert = Snapshot<unknown> & { input?: unknown };
type Start = (state: Inert, scope: { self: AnyActorRef }) => void;

const settled = (state: Inert, event: AnyEventObject): Inert => {
  if (event.type === doneType) return { ...state, status: 'done', output: event['output'] as unknown, input: undefined } as Inert;
  if (event.type === failedType)
    return { ...state, status: 'error', error: event['error'] as unknown, input: undefined } as Inert;
  return event.type === 'xstate.stop' ? ({ ...state, status: 'stopped', input: undefined } as Inert) : state;
};

const eventIn = (input: Input): EventObject => (input.kind === 'start' ? { type: '' } : (revived(input.event) as EventObject));

/** Repeats what the effect sent in this turn, to its parent or (if it was fed) to itself. Fails if the effect failed. */
const answer = (answers: Answers, actor: AnyActorRef, turn: number, say: (event: EventObject) => void): void => {
  for (const input of answers(actor as AnyActor, turn)) {
    // The effect’s own rejection, which may be any value.
    if (input.kind === 'settled') throw revived(input.event['error'] ?? null);
    if (input.kind === 'fed') actor.send(eventIn(input));
    else say(eventIn(input));
  }
};

const inertPromise = (logic: AnyActorLogic, answers: Answers): AnyActorLogic => {
  const start: Start = (_, { self }) => answer(answers, self, 0, () => {});
  return { ...logic, start, transition: settled } as AnyActorLogic;
};

const inertObservable = (logic: AnyActorLogic, answers: Answers): AnyActorLogic => {
  const start: Start = (state, { self }) => {
    Object.assign(state, { _subscription: { unsubscribe: () => {} } });
    answer(answers, self, 0, (event) => (self as AnyActor)._parent?.send(event));
  };
  return { ...logic, start } as AnyActorLogic;
};

const inertCallback = (answers: Answers): AnyActorLogic =>
  Object.assign(
    fromCallback<EventObject>(({ self, sendBack, receive }) => {
      let turn = 0;
      receive((event) => {
        if (event.type === failedType) throw (event as AnyEventObject)['error'];
        turn += 1;
        answer(answers, self, turn, sendBack);
      });
      answer(answers, self, 0, sendBack);
    }),
    { kind: 'callback' as const },
  ) as AnyActorLogic;

const inert: Record<LogicKind, (logic: AnyActorLogic, answers: Answers) => AnyActorLogic> = {
  machine: (logic, answers) => (isMachine(logic) ? stub(logic, answers) : logic),
  pure: (logic) => logic,
  promise: inertPromise,
  callback: (_, answers) => inertCallback(answers),
  observable: inertObservable,
};

const mapped = <From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/** Custom actions are functions of our own; XState's built-in ones carry how they resolve and stay. */
const isBuiltIn = (action: unknown): boolean => typeof action === 'function' && 'resolve' in action;

/** The machine with every effect inert, at every depth. */
export const stub = (machine: AnyStateMachine, answers: Answers): AnyStateMachine => {
  const { actors, actions } = machine.implementations as {
    actors: Record<string, AnyActorLogic>;
    actions: Record<string, unknown>;
  };
  return machine.provide({
    actors: mapped(actors, (logic) => inert[kindOf(logic)](logic, answers)),
    actions: mapped(actions, (action) => (isBuiltIn(action) ? action : () => {})),
  } as Parameters<AnyStateMachine['provide']>[0]);
};
