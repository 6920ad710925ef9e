import type { AnyStateMachine, EventFromLogic, SnapshotFrom } from 'xstate';

type StateIdOf<Machine extends AnyStateMachine> = keyof ReturnType<SnapshotFrom<Machine>['getMeta']> & string;
type EventTypeOf<Machine extends AnyStateMachine> = EventFromLogic<Machine>['type'];

/**
 * A machine in the words of somebody who tests it by hand. Texts of the screen stand in curly quotes, as the English
 * catalogue has them; a name in brackets, `“Pay {amount}”`, stands for whatever is there.
 */
export type Words<Machine extends AnyStateMachine> = {
  title: string;
  /** One or two sentences: what it does and where it can be watched. */
  about: string;
  /** What is to be seen while a state is active, by its id. */
  states: Partial<Record<StateIdOf<Machine>, string>>;
  /** What the customer does, as an order. */
  presses?: Partial<Record<EventTypeOf<Machine>, string>>;
  /** What happens without the customer, as a sentence without its full stop. */
  happens?: Partial<Record<EventTypeOf<Machine> | `xstate.${'done' | 'error'}.actor.${string}`, string>>;
  /** What is asked for, by the id of the invoke: the object of "the server gives …". */
  asks?: Record<string, string>;
  /** What can be seen of an action, by its name. */
  effects?: Record<string, string>;
};

/** Words of whichever machine. */
export type AnyWords = {
  title: string;
  about: string;
  states: Record<string, string | undefined>;
  presses?: Record<string, string | undefined>;
  happens?: Record<string, string | undefined>;
  asks?: Record<string, string>;
  effects?: Record<string, string>;
};

const said = new WeakMap<object, string>();

/** Says in a few words what tells a case of an event apart from its other cases. */
export const saying = <Payload extends object>(words: string, payload: Payload): Payload => {
  said.set(payload, words);
  return payload;
};

/** What `saying` said about a case; empty when nothing. */
export const saidOf = (payload: object): string => said.get(payload) ?? '';
