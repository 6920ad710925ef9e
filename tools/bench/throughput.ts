import { Pool } from 'undici';

/** Responses per second of one URL, and the 99th percentile of their durations in ms. */
export type Throughput = { perSecond: number; percentile99: number };

/**
 * Keeps `callers` requests in flight, each on its own connection, for `milliseconds`. Uses undici's
 * pool, since Node's own `fetch` would be the bottleneck.
 * @throws Error for a response other than 2xx
 */
export async function measureThroughput(
  url: string,
  callers: number,
  milliseconds: number,
  headers: Record<string, string> = {},
): Promise<Throughput> {
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, { connections: callers, pipelining: 1 });
  const start = performance.now();
  const times: number[] = [];
  const sendRequests = async (): Promise<void> => {
    while (performance.now() - start < milliseconds) {
      const startedAt = performance.now();
      const { statusCode, body } = await pool.request({ method: 'GET', path: pathname + search, headers });
      await body.dump({ limit: Number.MAX_SAFE_INTEGER });
      if (statusCode < 200 || statusCode > 299) throw new Error(`${url} answered ${statusCode}: expected 200 to 299`);
      times.push(performance.now() - startedAt);
    }
  };
  try {
    await Promise.all(Array.from({ length: callers }, sendRequests));
  } finally {
    await pool.destroy();
  }
  const seconds = (performance.now() - start) / 1000;
  const sortedTimes = times.toSorted((a, b) => a - b);
  return { perSecond: times.length / seconds, percentile99: sortedTimes[Math.floor(sortedTimes.length * 0.99)] ?? Number.NaN };
}
