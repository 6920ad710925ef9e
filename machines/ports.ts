import { fromCallback, fromPromise, type AnyStateMachine, type EventObject, type NonReducibleUnknown } from 'xstate';
import { problemOf, type Problem } from './model/problem.ts';

const notProvided = (): never => {
  throw new Error('not provided');
};

type PromiseRun<Output, Input extends NonReducibleUnknown> = Parameters<typeof fromPromise<Output, Input>>[0];

/**
 * A port that asks once and settles in bounded time: the world's answer, or a rejection with a `Problem`. The limits are the
 * client's (`src/client/wire/client.ts`), which every call has; a port without one is `openEnded`.
 */
export const requestPort = <Output, Input extends NonReducibleUnknown = undefined>(
  run: PromiseRun<Output, Input> = async () => notProvided(),
) => Object.assign(fromPromise<Output, Input>(run), { kind: 'promise' as const });

/** A request port that never rejects: when `run` throws, it answers with `otherwise()`. A machine needs no `onError` for it. */
export const safePort = <Output, Input extends NonReducibleUnknown = undefined>(
  ...provided: [] | [run: PromiseRun<Output, Input>, otherwise: () => NoInfer<Output>]
) => {
  const settles: PromiseRun<Output, Input> = async (given) => {
    if (provided.length === 0) return notProvided();
    const [run, otherwise] = provided;
    try {
      return await run(given);
    } catch {
      return otherwise();
    }
  };
  return Object.assign(requestPort<Output, Input>(settles), { rejects: false as const });
};

/** Marks a request port that waits for somebody, such as a dialog, or for a part of the program, for as long as it takes. */
export const openEnded = <Port extends object>(port: Port): Port => Object.assign(port, { openEnded: true });

// oxlint-disable-next-line pure-machines/world -- what a channel does runs in the world, not in a machine
const report = (error: unknown): void => (globalThis as { reportError?: (error: unknown) => void }).reportError?.(error);

type ChannelArgs<Command extends EventObject, Fact extends EventObject, Input> = {
  input: Input;
  sendBack: (fact: Fact) => void;
  receive: (listener: (command: Command) => void) => void;
};

/**
 * A port that stays open: it takes commands and reports facts until it is stopped. It never fails: what `run` and its listeners
 * throw is told to the machine as the fact that `broken` makes of it; without `broken` the machine goes on without, and the
 * browser reports the defect as it does what nobody catches.
 */
export const channelPort = <Command extends EventObject, Fact extends EventObject, Input extends NonReducibleUnknown = undefined>(
  run?: (args: ChannelArgs<Command, Fact, Input>) => (() => void) | void,
  broken?: (problem: Problem) => Fact,
) =>
  Object.assign(
    fromCallback<Command, Input>(({ input, sendBack, receive }) => {
      if (run === undefined) return notProvided();
      const guarded = <Result>(act: () => Result): Result | undefined => {
        try {
          return act();
        } catch (error) {
          if (broken) sendBack(broken(problemOf(error)));
          else report(error);
          return undefined;
        }
      };
      const stop = guarded(() =>
        run({
          input,
          sendBack: sendBack as (fact: EventObject) => void,
          receive: (listener) => receive((command) => guarded(() => listener(command))),
        }),
      );
      return () => guarded(() => stop?.());
    }),
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
