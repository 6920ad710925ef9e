import { Pool } from 'undici';

/** Responses per second of one address, and their 99th percentile in ms. */
export type Throughput = { perSecond: number; slowest: number };

/**
 * Keeps `callers` requests in flight, each on its own connection, for `milliseconds`. A response
 * other than 2xx ends the measurement. Node's own `fetch` would be the bottleneck.
 */
export async function throughput(
  url: string,
  callers: number,
  milliseconds: number,
  headers: Record<string, string> = {},
): Promise<Throughput> {
  const { origin, pathname, search } = new URL(url);
  const pool = new Pool(origin, { connections: callers, pipelining: 1 });
  const start = performance.now();
  const times: number[] = [];
  const call = async (): Promise<void> => {
    while (performance.now() - start < milliseconds) {
      const begun = performance.now();
      const { statusCode, body } = await pool.request({ method: 'GET', path: pathname + search, headers });
      await body.dump({ limit: Number.MAX_SAFE_INTEGER });
      if (statusCode < 200 || statusCode > 299) throw new Error(`${url} answered ${statusCode}`);
      times.push(performance.now() - begun);
    }
  };
  try {
    await Promise.all(Array.from({ length: callers }, call));
  } finally {
    await pool.destroy();
  }
  const seconds = (performance.now() - start) / 1000;
  const sorted = times.toSorted((a, b) => a - b);
  return { perSecond: times.length / seconds, slowest: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN };
}
