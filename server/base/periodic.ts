/**
 * Runs work now and after each interval (milliseconds), skipping a round while the previous one is
 * running; failures go to `onError`.
 * @param work receives a signal that is aborted when it must stop
 * @returns a function that stops the work, and waits for a running round
 */
export function startPeriodic(
  work: (stopping: AbortSignal) => Promise<unknown>,
  interval: number,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  let round: Promise<unknown> | undefined;
  const start = () => {
    round ??= work(stopping.signal)
      .catch(onError)
      .finally(() => {
        round = undefined;
      });
  };
  start();
  const timer = setInterval(start, interval);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await round;
  };
}
