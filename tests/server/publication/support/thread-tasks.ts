import { getHeapStatistics } from 'node:v8';

/**
 * Tasks for threads under test. Tasks that never end count their steps in shared memory, where the
 * test reads the count.
 */

export const say = (text: string): string => text;

/** Returns the heap limit of the thread in bytes. */
export const heapLimit = (): number => getHeapStatistics().heap_size_limit;

/** Never ends; counts its start. */
export function hang(startCounter: Int32Array): never {
  incrementShared(startCounter);
  for (;;);
}

/** Allocates memory until the heap is full; counts its steps. */
export function grow(stepCounter: Int32Array): never {
  const arrays: number[][] = [];
  for (;;) {
    arrays.push(Array.from({ length: 10_000 }, (_, index) => index + arrays.length));
    incrementShared(stepCounter);
  }
}

function incrementShared(counter: Int32Array): void {
  Atomics.add(counter, 0, 1);
  Atomics.notify(counter, 0);
}
