import { LRUCache } from 'lru-cache';
import { readForAll } from '../database/caller-gone.ts';
import type { Store } from '../stores/stores.ts';

const MAX_ENTRIES = 500;

/**
 * Caches results computed from a whole catalogue until the store changes: the counts of lists, the
 * category tree. The store's version comes from the database, so that changes by other processes
 * count, too.
 */
export class Cache {
  readonly #answers = new LRUCache<string, Promise<unknown>>({ max: MAX_ENTRIES });

  /**
   * The cached result for `what` of the store; concurrent callers with the same `what` share the
   * work.
   */
  getOrCompute<T>(store: Store, what: string, work: () => Promise<T>): Promise<T> {
    const name = `${store.id} ${store.version} ${what}`;
    const known = this.#answers.get(name);
    if (known) return known as Promise<T>;
    const answer = readForAll(work);
    this.#answers.set(name, answer);
    answer.catch(() => this.#answers.delete(name));
    return answer;
  }
}
