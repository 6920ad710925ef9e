import { toProblem, type Problem } from '../../machines/model/problem.ts';

/** An engine's interface: facts out, commands in, until the signal asks for its disposal. */
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
    failed: (problem: Problem) => Fact,
  ) =>
  ({ input, sendBack, receive }: ChannelArgs<Command, Fact, Input>) => {
    const stopped = new AbortController();
    const { signal } = stopped;
    const waiting: Command[] = [];
    let handler = (command: Command): void => void waiting.push(command);
    receive((command) => handler(command));
    const send = (fact: Fact) => {
      if (!signal.aborted) sendBack(fact);
    };
    const io: EngineIo<Command, Fact> = {
      send,
      receive: (listener) => {
        handler = listener;
        waiting.splice(0).forEach(listener);
      },
      signal,
    };
    load(input)
      .then((run) => (signal.aborted ? undefined : run(input, io)))
      .catch((error: unknown) => send(failed(toProblem(error))));
    return () => stopped.abort();
  };
