import type { AnyMachineSnapshot, AnyStateMachine, EventFromLogic, SnapshotFrom } from 'xstate';

type StateIdOf<Machine extends AnyStateMachine> = keyof ReturnType<SnapshotFrom<Machine>['getMeta']> & string;
type EventTypeOf<Machine extends AnyStateMachine> = EventFromLogic<Machine>['type'];

/** A text, or a function that returns it if it depends on the snapshot. */
type Text<Machine extends AnyStateMachine> = string | ((snapshot: SnapshotFrom<Machine>) => string);

/**
 * The texts about a machine for manual testers, in test plans and in replays of traces. Texts of
 * the screen are in curly quotes, as in the English catalogue. A name in braces, as in `“Buy for
 * {amount}”`, is a placeholder for any value.
 */
export type Description<Machine extends AnyStateMachine> = {
  title: string;
  /** One or two sentences about the machine's purpose, and where to observe it. */
  about: string;
  /** The visible screen while a state is active, by the state's id. */
  states: Partial<Record<StateIdOf<Machine>, Text<Machine>>>;
  /** The id of the machine that renders the screen while a state is active. */
  inner?: Partial<Record<StateIdOf<Machine>, string>>;
  /** Actions of the customer as instructions, by event type, for the snapshot before the event. */
  presses?: Partial<Record<EventTypeOf<Machine>, Text<Machine>>>;
  /** Events that no press on this screen causes, as sentences without a full stop, by type. */
  happens?: Partial<Record<EventTypeOf<Machine> | `xstate.${'done' | 'error'}.actor.${string}`, string>>;
  /**
   * The data that the server is asked for, by the id of the invoke: the object of "the server gives
   * …". Outcomes of ports that only the browser serves belong in `happens`.
   */
  asks?: Record<string, string>;
  /** The visible effects of actions, by the action's name. */
  effects?: Record<string, string>;
};

// oxlint-disable-next-line typescript/no-explicit-any -- only the author of a description knows its machine's snapshot
export type AnyText = string | ((snapshot: any) => string);

/** Evaluates a text that may depend on the snapshot. */
export const resolveText = (text: AnyText, snapshot: AnyMachineSnapshot): string =>
  typeof text === 'function' ? text(snapshot) : text;

/** A description whose machine is not known. */
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

const descriptionsByCase = new WeakMap<object, { text: string; preparation: string }>();

/**
 * Returns the payload of a case of an event after storing a text that distinguishes it from the
 * event's other cases. `preparation`: an instruction for manual testers without a full stop.
 */
export const describeCase = <Payload extends object>(text: string, payload: Payload, preparation = ''): Payload => {
  descriptionsByCase.set(payload, { text, preparation });
  return payload;
};

/** The text of a case, from `describeCase`; empty if it has none. */
export const getCaseDescription = (payload: object): string => descriptionsByCase.get(payload)?.text ?? '';

/** The preparation of a case, from `describeCase`; empty if it needs none. */
export const getCasePreparation = (payload: object): string => descriptionsByCase.get(payload)?.preparation ?? '';
