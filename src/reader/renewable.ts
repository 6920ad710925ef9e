import { problemOf, type Problem } from '../../machines/model/problem.ts';

/** An address that expires. `renewed` is told the next one whenever there is one, asked for or not. */
export type Renewable<Address> = {
  readonly current: Address;
  renewed: (next: Address) => void;
  /** The address in place of one that is taken no longer: the current one if it is another, else the next, which is asked for. */
  instead: (expired: Address) => Promise<Address>;
  /** There is no other address for now: a request that waits for one gets the reason. */
  failed: (problem: Problem) => void;
};

/** Whoever asks is told by `ask`; once the engine has stopped nothing comes any more, and waiting ends with the signal's reason. */
export const renewable = <Address>(first: Address, ask: () => void, signal: AbortSignal): Renewable<Address> => {
  let current = first;
  let waiting: PromiseWithResolvers<Address> | null = null;
  signal.addEventListener('abort', () => waiting?.reject(signal.reason));
  const wait = (): PromiseWithResolvers<Address> => {
    const next = Promise.withResolvers<Address>();
    waiting = next;
    ask();
    return next;
  };
  return {
    get current() {
      return current;
    },
    renewed: (next) => {
      current = next;
      waiting?.resolve(next);
      waiting = null;
    },
    failed: (problem) => {
      waiting?.reject(problem);
      waiting = null;
    },
    instead: async (expired) => {
      signal.throwIfAborted();
      return expired === current ? (waiting ?? wait()).promise : current;
    },
  };
};

/** The media server takes the address no longer. */
export const isExpired = (problem: Problem): boolean => problem.kind === 'refused' && problem.code === 'media_denied';

/** Does something with the address, and once more with another one when it has expired. */
export const usingAddress = async <Address, Value>(
  address: Renewable<Address>,
  run: (current: Address) => Promise<Value>,
): Promise<Value> => {
  const { current } = address;
  try {
    return await run(current);
  } catch (error) {
    if (!isExpired(problemOf(error))) throw error;
    return run(await address.instead(current));
  }
};
