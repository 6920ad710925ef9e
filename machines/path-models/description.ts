import type { AnyMachineSnapshot, AnyStateMachine, EventFromLogic, SnapshotFrom } from 'xstate';

type StateIdOf<Machine extends AnyStateMachine> = keyof ReturnType<SnapshotFrom<Machine>['getMeta']> & string;
type EventTypeOf<Machine extends AnyStateMachine> = EventFromLogic<Machine>['type'];

/** A text, or a function of the snapshot if that decides which button or heading is shown. */
type Text<Machine extends AnyStateMachine> = string | ((snapshot: SnapshotFrom<Machine>) => string);

/**
 * Describes a machine for manual testers: test plans and replays of traces print these texts. Texts
 * of the screen are in curly quotes, as in the English catalogue; a name in braces, `“Buy for
 * {amount}”`, is a placeholder for any value.
 */
export type Description<Machine extends AnyStateMachine> = {
  title: string;
  /** One or two sentences: its purpose, and where to observe it. */
  about: string;
  /** The visible screen while a state is active, by the state's id. */
  states: Partial<Record<StateIdOf<Machine>, Text<Machine>>>;
  /** The id of the machine that renders the screen while a state is active. */
  inner?: Partial<Record<StateIdOf<Machine>, string>>;
  /** The customer's action, as an instruction; for the snapshot before it. */
  presses?: Partial<Record<EventTypeOf<Machine>, Text<Machine>>>;
  /** An event that the customer does not cause, as a sentence without a full stop. */
  happens?: Partial<Record<EventTypeOf<Machine> | `xstate.${'done' | 'error'}.actor.${string}`, string>>;
  /** The requested data, by the id of the invoke: the object of "the server gives …". */
  asks?: Record<string, string>;
  /** The visible effect of an action, by its name. */
  effects?: Record<string, string>;
};

// oxlint-disable-next-line typescript/no-explicit-any -- only the author of a description knows its machine's snapshot
export type AnyText = string | ((snapshot: any) => string);

/** A text for a snapshot. */
export const resolveText = (text: AnyText, snapshot: AnyMachineSnapshot): string =>
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
 * Describes a case of an event, to distinguish it from the event's other cases. `before` is an
 * instruction for manual testers without a full stop, for a case that needs preparation.
 */
export const describeCase = <Payload extends object>(text: string, payload: Payload, before = ''): Payload => {
  texts.set(payload, { text, before });
  return payload;
};

/** The text that `described` gave to a case; empty if it has none. */
export const caseDescription = (payload: object): string => texts.get(payload)?.text ?? '';

/** The preparation of a case; empty if it needs none. */
export const casePreparation = (payload: object): string => texts.get(payload)?.before ?? '';
