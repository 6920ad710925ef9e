/** What an engine speaks through: facts out, commands in, until the signal says to take everything down. */
export type EngineIo<Command, Fact> = {
  send: (fact: Fact) => void;
  receive: (handler: (command: Command) => void) => void;
  signal: AbortSignal;
};
