import { toProblem, type Problem } from '../../machines/model/problem.ts';

/** An engine's interface: it sends facts and receives commands until the signal aborts. */
export type EngineIo<Command, Fact> = {
  send: (fact: Fact) => void;
  receive: (handler: (command: Command) => void) => void;
  signal: AbortSignal;
};

type ChannelArgs<Command, Fact, Input> = {
  input: Input;
  sendBack: (fact: Fact) => void;
  receive: (listener: (command: Command) => void) => void;
};

/** A lazily loaded engine as a channel; commands that arrive before it is loaded are queued. */
export const createEngine =
  <Command, Fact, Input>(
    load: (input: Input) => Promise<(input: Input, io: EngineIo<Command, Fact>) => Promise<void> | void>,
    toFailure: (problem: Problem) => Fact,
  ) =>
  ({ input, sendBack, receive }: ChannelArgs<Command, Fact, Input>) => {
    const disposal = new AbortController();
    const { signal } = disposal;
    const queuedCommands: Command[] = [];
    let handler = (command: Command): void => void queuedCommands.push(command);
    receive((command) => handler(command));
    const send = (fact: Fact) => {
      if (!signal.aborted) sendBack(fact);
    };
    const io: EngineIo<Command, Fact> = {
      send,
      receive: (listener) => {
        handler = listener;
        queuedCommands.splice(0).forEach(listener);
      },
      signal,
    };
    load(input)
      .then((run) => (signal.aborted ? undefined : run(input, io)))
      .catch((error: unknown) => send(toFailure(toProblem(error))));
    return () => disposal.abort();
  };
