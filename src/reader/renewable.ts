import { toProblem, type Problem } from '../../machines/model/problem.ts';

/** An address that expires. `renewed` receives each new one, whether requested or not. */
export type Renewable<Address> = {
  readonly current: Address;
  renewed: (next: Address) => void;
  /**
   * The replacement of an expired address: the current one if it differs, else the next one, which
   * is requested.
   */
  getReplacement: (expired: Address) => Promise<Address>;
  /**
   * Reports that no other address is available for now: pending requests reject with the problem.
   */
  failed: (problem: Problem) => void;
};

/**
 * A renewable address; `ask` requests a new one. After the engine has stopped none arrives, and
 * pending requests reject with the signal's reason.
 */
export const createRenewable = <Address>(first: Address, ask: () => void, signal: AbortSignal): Renewable<Address> => {
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
    getReplacement: async (expired) => {
      signal.throwIfAborted();
      return expired === current ? (waiting ?? wait()).promise : current;
    },
  };
};

/** Whether the media server refuses an expired address. */
export const isExpired = (problem: Problem): boolean => problem.kind === 'refused' && problem.code === 'media_denied';

/** Runs `use` with the address, and once more with another one when it has expired. */
export const withRenewedAddress = async <Address, Value>(
  address: Renewable<Address>,
  run: (current: Address) => Promise<Value>,
): Promise<Value> => {
  const { current } = address;
  try {
    return await run(current);
  } catch (error) {
    if (!isExpired(toProblem(error))) throw error;
    return run(await address.getReplacement(current));
  }
};
