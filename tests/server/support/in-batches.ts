const BATCH_SIZE = 20;

/** Runs calls concurrently, in batches that fit into the queue of password checks. */
export async function inBatches<T>(tasks: (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  for (let start = 0; start < tasks.length; start += BATCH_SIZE)
    results.push(...(await Promise.all(tasks.slice(start, start + BATCH_SIZE).map((task) => task()))));
  return results;
}
