import { getHeapStatistics } from 'node:v8';

/**
 * Tasks for threads under test. Each counts its progress in shared memory, where the test reads it.
 */

export const say = (words: string): string => words;

/** Heap limit of the thread in bytes. */
export const heapLimit = (): number => getHeapStatistics().heap_size_limit;

/** Never ends. */
export function hang(begun: Int32Array): never {
  incrementShared(begun);
  for (;;);
}

/** Allocates memory until the heap is full. */
export function grow(taken: Int32Array): never {
  const kept: number[][] = [];
  for (;;) {
    kept.push(Array.from({ length: 10_000 }, (_, at) => at + kept.length));
    incrementShared(taken);
  }
}

function incrementShared(shared: Int32Array): void {
  Atomics.add(shared, 0, 1);
  Atomics.notify(shared, 0);
}
