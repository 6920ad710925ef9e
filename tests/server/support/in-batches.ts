const PART_SIZE = 20;

/** Runs calls concurrently, in batches that fit into the queue of password checks. */
export async function inBatches<T>(works: (() => Promise<T>)[]): Promise<T[]> {
  const done: T[] = [];
  for (let start = 0; start < works.length; start += PART_SIZE)
    done.push(...(await Promise.all(works.slice(start, start + PART_SIZE).map((work) => work()))));
  return done;
}
