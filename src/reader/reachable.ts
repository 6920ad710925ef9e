/** A file that has not come by then may never come: the server is asked from then on. */
const PROBE_MS = 1500;

/** Waits until the server cannot be reached any more; rejects once it is given up. */
export const untilLost = async (address: string, signal: AbortSignal): Promise<void> => {
  for (let isReached = true; isReached;) {
    await pause(PROBE_MS, signal);
    isReached = await fetch(address, { method: 'HEAD', cache: 'no-store', signal }).then(
      () => true,
      () => false,
    );
    signal.throwIfAborted();
  }
};

/** Never ends once it is given up. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
