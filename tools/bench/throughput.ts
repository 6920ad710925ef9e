/** Answers a second to one address, and how long the slowest hundredth took, in milliseconds. */
export type Throughput = { perSecond: number; slowest: number };

async function ask(url: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(url);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return performance.now() - start;
}

async function askUntil(url: string, end: number, times: number[]): Promise<void> {
  while (performance.now() < end) times.push(await ask(url));
}

/** Keeps `callers` requests under way for `milliseconds`. An answer that is not 2xx ends the measurement. */
export async function throughput(url: string, callers: number, milliseconds: number): Promise<Throughput> {
  const times: number[] = [];
  const start = performance.now();
  await Promise.all(Array.from({ length: callers }, () => askUntil(url, start + milliseconds, times)));
  const seconds = (performance.now() - start) / 1000;
  const sorted = times.toSorted((a, b) => a - b);
  return { perSecond: times.length / seconds, slowest: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN };
}
