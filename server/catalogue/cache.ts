import type { Store } from '../store.ts';

const MOST = 500;

/**
 * What is worked out of a whole catalogue, kept until the catalogue changes: how many titles a list has, the tree of
 * categories. The store's version comes with every call from the database, so that other processes' changes count too.
 */
export class Cache {
  readonly #answers = new Map<string, { version: number; answer: Promise<unknown> }>();

  /** The answer to `what` of the store; two callers of one `what` ask for the same work. */
  of<T>(store: Store, what: string, work: () => Promise<T>): Promise<T> {
    const name = `${store.id} ${what}`;
    const known = this.#answers.get(name);
    if (known?.version === store.version) return known.answer as Promise<T>;
    const answer = work();
    this.#answers.delete(name);
    this.#answers.set(name, { version: store.version, answer });
    answer.catch(() => this.#answers.delete(name));
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST && oldest !== undefined) this.#answers.delete(oldest);
    return answer;
  }
}
