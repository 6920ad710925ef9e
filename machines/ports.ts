import { fromCallback, fromPromise, type AnyStateMachine, type EventObject, type NonReducibleUnknown } from 'xstate';
import { toProblem, type Problem } from './model/problem.ts';

const throwNotProvided = (id: string): never => {
  throw new Error(`Port ${id} has no implementation: expected one by machine.provide().`);
};

type PromiseRun<Output, Input extends NonReducibleUnknown> = Parameters<typeof fromPromise<Output, Input>>[0];

/**
 * A port that settles once, in bounded time: with the output, or with a `Problem` as the rejection.
 * The request timeout of the client (`src/client/wire/client.ts`) applies to every call of the
 * server; a port without a time limit is marked by `markOpenEnded`.
 */
export const requestPort = <Output, Input extends NonReducibleUnknown = undefined>(
  run: PromiseRun<Output, Input> = async ({ self }) => throwNotProvided(self.id),
) => Object.assign(fromPromise<Output, Input>(run), { kind: 'promise' as const });

/**
 * A request port that never rejects: if `run` throws, the output is `otherwise()`, so the machine
 * needs no `onError`.
 */
export const safePort = <Output, Input extends NonReducibleUnknown = undefined>(
  ...implementation: [] | [run: PromiseRun<Output, Input>, otherwise: () => NoInfer<Output>]
) => {
  const runSafely: PromiseRun<Output, Input> = async (args) => {
    if (implementation.length === 0) return throwNotProvided(args.self.id);
    const [run, otherwise] = implementation;
    try {
      return await run(args);
    } catch {
      return otherwise();
    }
  };
  return Object.assign(requestPort<Output, Input>(runSafely), { rejects: false as const });
};

/**
 * Marks a request port without a time limit: it waits for the user (a dialog) or for a chunk to
 * load.
 */
export const markOpenEnded = <Port extends object>(port: Port): Port => Object.assign(port, { openEnded: true });

// oxlint-disable-next-line pure-machines/world -- a channel's callback runs outside the machine
const reportUnhandled = (error: unknown): void => (globalThis as { reportError?: (error: unknown) => void }).reportError?.(error);

type ChannelArgs<Command extends EventObject, Fact extends EventObject, Input> = {
  input: Input;
  sendBack: (fact: Fact) => void;
  receive: (listener: (command: Command) => void) => void;
};

/**
 * A port that stays open: it receives commands and sends facts until it is stopped. It never fails.
 * An error thrown by `run` or its listeners reaches the machine as the fact that `toFailureFact`
 * returns; without `toFailureFact` the browser reports the error as uncaught.
 */
export const channelPort = <Command extends EventObject, Fact extends EventObject, Input extends NonReducibleUnknown = undefined>(
  run?: (args: ChannelArgs<Command, Fact, Input>) => (() => void) | void,
  toFailureFact?: (problem: Problem) => Fact,
) =>
  Object.assign(
    fromCallback<Command, Input>(({ input, sendBack, receive, self }) => {
      if (run === undefined) return throwNotProvided(self.id);
      const runGuarded = <Result>(action: () => Result): Result | undefined => {
        try {
          return action();
        } catch (error) {
          if (toFailureFact) sendBack(toFailureFact(toProblem(error)));
          else reportUnhandled(error);
          return undefined;
        }
      };
      const stop = runGuarded(() =>
        run({
          input,
          sendBack: sendBack as (fact: EventObject) => void,
          receive: (listener) => receive((command) => runGuarded(() => listener(command))),
        }),
      );
      return () => runGuarded(() => stop?.());
    }),
    { kind: 'callback' as const },
  );

/** A placeholder for a lazily loaded machine, of which the spawning machine knows only the type. */
export const lazyPort = <Machine extends AnyStateMachine = AnyStateMachine>(): Machine =>
  ({ getInitialSnapshot: throwNotProvided }) as unknown as Machine;

/** Reads the `Problem` of a port's rejection, as the parameter of an action or a guard. */
export const getProblem = ({ event }: { event: { error: unknown } }): Problem => toProblem(event.error);

/** Reads a port's output, as the parameter of an action or a guard. */
export const getOutput = <Output>({ event }: { event: { output: Output } }): Output => event.output;

export const isUnauthorized = (_: unknown, problem: Problem): boolean => problem.kind === 'unauthorized';

/** Whether the server responded that the resource does not exist. */
export const isMissing = (_: unknown, problem: Problem): boolean =>
  (problem.kind === 'refused' && problem.code === 'not_found') || (problem.kind === 'http' && problem.status === 404);
