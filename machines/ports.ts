import { fromCallback, fromPromise, type AnyStateMachine, type EventObject, type NonReducibleUnknown } from 'xstate';
import { problemOf, type Problem } from './model/problem.ts';

const notProvided = (): never => {
  throw new Error('not provided');
};

type PromiseRun<Output, Input extends NonReducibleUnknown> = Parameters<typeof fromPromise<Output, Input>>[0];

/** A port that asks once and settles: the world's answer, or a rejection with a `Problem`. */
export const requestPort = <Output, Input extends NonReducibleUnknown = undefined>(
  run: PromiseRun<Output, Input> = async () => notProvided(),
) => Object.assign(fromPromise<Output, Input>(run), { kind: 'promise' as const });

type ChannelArgs<Command extends EventObject, Fact extends EventObject, Input> = {
  input: Input;
  sendBack: (fact: Fact) => void;
  receive: (listener: (command: Command) => void) => void;
};

/** A port that stays open: it takes commands and reports facts until it is stopped. */
export const channelPort = <Command extends EventObject, Fact extends EventObject, Input extends NonReducibleUnknown = undefined>(
  run: (args: ChannelArgs<Command, Fact, Input>) => (() => void) | void = notProvided,
) =>
  Object.assign(
    fromCallback<Command, Input>(({ input, sendBack, receive }) =>
      run({ input, sendBack: sendBack as (fact: EventObject) => void, receive }),
    ),
    { kind: 'callback' as const },
  );

/** A machine that is fetched before it is started: only its type is known to the machine that starts it. */
export const latePort = <Machine extends AnyStateMachine = AnyStateMachine>(): Machine =>
  ({ getInitialSnapshot: notProvided }) as unknown as Machine;

/** Reads the `Problem` out of a port's rejection, as the parameter of an action or a guard. */
export const problemIn = ({ event }: { event: { error: unknown } }): Problem => problemOf(event.error);

/** Reads a port's answer, as the parameter of an action or a guard. */
export const outputIn = <Output>({ event }: { event: { output: Output } }): Output => event.output;

export const isUnauthorized = (_: unknown, problem: Problem): boolean => problem.kind === 'unauthorized';

/** The server said that there is no such thing. */
export const isMissing = (_: unknown, problem: Problem): boolean =>
  (problem.kind === 'refused' && problem.code === 'not_found') || (problem.kind === 'http' && problem.status === 404);
