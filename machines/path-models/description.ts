import type { AnyMachineSnapshot, AnyStateMachine, EventFromLogic, SnapshotFrom } from 'xstate';

type StateIdOf<Machine extends AnyStateMachine> = keyof ReturnType<SnapshotFrom<Machine>['getMeta']> & string;
type EventTypeOf<Machine extends AnyStateMachine> = EventFromLogic<Machine>['type'];

/** A text, or what it is in a snapshot, where that decides which of several buttons or headings is there. */
type Text<Machine extends AnyStateMachine> = string | ((snapshot: SnapshotFrom<Machine>) => string);

/**
 * Describes a machine for somebody who tests it by hand: plans of tests and replays of traces print these texts. Texts of the
 * screen are in curly quotes, as in the English catalogue; a name in brackets, `“Buy for {amount}”`, stands for any value.
 */
export type Description<Machine extends AnyStateMachine> = {
  title: string;
  /** One or two sentences: what it does and where it can be watched. */
  about: string;
  /** What is to be seen while a state is active, by its id. */
  states: Partial<Record<StateIdOf<Machine>, Text<Machine>>>;
  /** The id of the machine that draws the screen while a state is active. */
  inner?: Partial<Record<StateIdOf<Machine>, string>>;
  /** What the customer does, as an order; in the snapshot before it. */
  presses?: Partial<Record<EventTypeOf<Machine>, Text<Machine>>>;
  /** What happens without the customer, as a sentence without its full stop. */
  happens?: Partial<Record<EventTypeOf<Machine> | `xstate.${'done' | 'error'}.actor.${string}`, string>>;
  /** What is asked for, by the id of the invoke: the object of "the server gives …". */
  asks?: Record<string, string>;
  /** What can be seen of an action, by its name. */
  effects?: Record<string, string>;
};

// Any machine's: which snapshot it takes is known to who wrote it.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyText = string | ((snapshot: any) => string);

/** What a text is in a snapshot. */
export const textIn = (text: AnyText, snapshot: AnyMachineSnapshot): string =>
  typeof text === 'function' ? text(snapshot) : text;

/** The description of any machine. */
export type AnyDescription = {
  title: string;
  about: string;
  states: Record<string, AnyText | undefined>;
  inner?: Record<string, string | undefined>;
  presses?: Record<string, AnyText | undefined>;
  happens?: Record<string, string | undefined>;
  asks?: Record<string, string>;
  effects?: Record<string, string>;
};

const texts = new WeakMap<object, { text: string; before: string }>();

/**
 * Describes a case of an event, so that it can be told apart from the event's other cases. `before` is what somebody who tests by
 * hand does beforehand, as an order without its full stop, for a case that does not come about by itself.
 */
export const described = <Payload extends object>(text: string, payload: Payload, before = ''): Payload => {
  texts.set(payload, { text, before });
  return payload;
};

/** The text that `described` gave to a case; empty when it has none. */
export const caseDescription = (payload: object): string => texts.get(payload)?.text ?? '';

/** What has to be done for a case beforehand; empty for one that comes about by itself. */
export const casePreparation = (payload: object): string => texts.get(payload)?.before ?? '';
