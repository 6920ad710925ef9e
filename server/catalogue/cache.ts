import { LRUCache } from 'lru-cache';
import { readForAll } from '../database/cancel-reads.ts';
import type { Store } from '../stores/stores.ts';

const MAX_ENTRIES = 500;

/**
 * Caches results computed from a whole catalogue until the store changes: the counts of lists, the
 * category tree. The store's version comes from the database, so that changes by other processes
 * count, too.
 */
export class Cache {
  readonly #results = new LRUCache<string, Promise<unknown>>({ max: MAX_ENTRIES });

  /**
   * The cached result for a key of the store; concurrent callers with the same key share the work.
   */
  getOrCompute<T>(store: Store, key: string, work: () => Promise<T>): Promise<T> {
    const cacheKey = `${store.id} ${store.version} ${key}`;
    const cachedResult = this.#results.get(cacheKey);
    if (cachedResult) return cachedResult as Promise<T>;
    const result = readForAll(work);
    this.#results.set(cacheKey, result);
    result.catch(() => this.#results.delete(cacheKey));
    return result;
  }
}
