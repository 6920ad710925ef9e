import { getHeapStatistics } from 'node:v8';

/** Tasks for threads under test. Each counts in shared memory how far it has come, so that a test knows. */

export const say = (words: string): string => words;

/** Bytes that the thread's heap may take. */
export const heapLimit = (): number => getHeapStatistics().heap_size_limit;

/** Never ends. */
export function hang(begun: Int32Array): never {
  count(begun);
  for (;;);
}

/** Takes memory until there is none. */
export function grow(taken: Int32Array): never {
  const kept: number[][] = [];
  for (;;) {
    kept.push(Array.from({ length: 10_000 }, (_, at) => at + kept.length));
    count(taken);
  }
}

function count(shared: Int32Array): void {
  Atomics.add(shared, 0, 1);
  Atomics.notify(shared, 0);
}
