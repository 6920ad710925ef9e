/**
 * Does something now and again after each interval (milliseconds); rounds do not overlap, and one that fails is told of.
 * @returns stops it, and waits for a round that is under way
 */
export function startPeriodic(
  work: () => Promise<unknown>,
  interval: number,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let round: Promise<unknown> = Promise.resolve();
  const start = () => {
    round = round.then(work).catch(onError);
  };
  start();
  const timer = setInterval(start, interval);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await round;
  };
}
