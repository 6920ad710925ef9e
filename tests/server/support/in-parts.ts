const PART = 20;

/** Many at once, but no more than may wait for the check of a password. */
export async function inParts<T>(works: (() => Promise<T>)[]): Promise<T[]> {
  const done: T[] = [];
  for (let start = 0; start < works.length; start += PART)
    done.push(...(await Promise.all(works.slice(start, start + PART).map((work) => work()))));
  return done;
}
