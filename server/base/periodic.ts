/**
 * Does something now and again after each interval (milliseconds), unless the round before is still under way; one that
 * fails is told of.
 * @param work gets a signal that says when it is to come to an end
 * @returns stops it, and waits for a round that is under way
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
