import { toProblem, type Problem } from '../../machines/model/problem.ts';

/** An address that expires. `renewed` is called with each new one, whether requested or not. */
export type Renewable<Address> = {
  readonly current: Address;
  renewed: (next: Address) => void;
  /**
   * The replacement of an expired address: the current one if it differs, else the next one, which
   * is requested.
   */
  getReplacement: (expired: Address) => Promise<Address>;
  /**
   * Called when no other address is available for now: pending requests reject with the problem.
   */
  failed: (problem: Problem) => void;
};

/**
 * A renewable address; `requestNew` requests another one. After the engine has stopped none
 * arrives, and pending requests reject with the signal's reason.
 */
export const createRenewable = <Address>(
  initialAddress: Address,
  requestNew: () => void,
  signal: AbortSignal,
): Renewable<Address> => {
  let current = initialAddress;
  let pendingRequest: PromiseWithResolvers<Address> | null = null;
  signal.addEventListener('abort', () => pendingRequest?.reject(signal.reason));
  const requestNext = (): PromiseWithResolvers<Address> => {
    const next = Promise.withResolvers<Address>();
    pendingRequest = next;
    requestNew();
    return next;
  };
  return {
    get current() {
      return current;
    },
    renewed: (next) => {
      current = next;
      pendingRequest?.resolve(next);
      pendingRequest = null;
    },
    failed: (problem) => {
      pendingRequest?.reject(problem);
      pendingRequest = null;
    },
    getReplacement: async (expired) => {
      signal.throwIfAborted();
      return expired === current ? (pendingRequest ?? requestNext()).promise : current;
    },
  };
};

/** Whether the media server refuses an expired address. */
export const isExpired = (problem: Problem): boolean => problem.kind === 'refused' && problem.code === 'media_denied';

/** Calls `run` with the current address, and again with its replacement if it has expired. */
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
