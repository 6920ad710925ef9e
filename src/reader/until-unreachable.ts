/**
 * Milliseconds before the first probe of the server while a file is pending, and between probes.
 */
const PROBE_MS = 1500;

/** Resolves when the server becomes unreachable; after an abort it rejects or stays pending. */
export const untilUnreachable = async (address: string, signal: AbortSignal): Promise<void> => {
  for (let isReached = true; isReached;) {
    await delay(PROBE_MS, signal);
    isReached = await fetch(address, { method: 'HEAD', cache: 'no-store', signal }).then(
      () => true,
      () => false,
    );
    signal.throwIfAborted();
  }
};

/** Never resolves after an abort. */
export const delay = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
