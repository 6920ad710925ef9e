import { LRUCache } from 'lru-cache';
import { readForAll } from '../database/caller-gone.ts';
import type { Store } from '../stores/stores.ts';

const MOST = 500;

/**
 * What is worked out of a whole catalogue, kept until the store changes: how many titles a list has, the tree of categories.
 * The store's version comes from the database, so that other processes' changes count too.
 */
export class Cache {
  readonly #answers = new LRUCache<string, Promise<unknown>>({ max: MOST });

  /** The answer to `what` of the store; two callers of one `what` ask for the same work. */
  of<T>(store: Store, what: string, work: () => Promise<T>): Promise<T> {
    const name = `${store.id} ${store.version} ${what}`;
    const known = this.#answers.get(name);
    if (known) return known as Promise<T>;
    const answer = readForAll(work);
    this.#answers.set(name, answer);
    answer.catch(() => this.#answers.delete(name));
    return answer;
  }
}
