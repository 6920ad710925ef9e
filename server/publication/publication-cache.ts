import { stat } from 'node:fs/promises';
import { openPublication, type Publication, type PublicationReader } from './publication.ts';
import { isRefusal, refusalIsOver } from './refusal.ts';
import { realNow } from '../base/clock/time.ts';

/** A publication in use; call `release` once, when it is no longer read from. */
export type Lease = { publication: Publication; release: () => void };

type CachedBook = {
  opened: Promise<Publication>;
  users: number;
  dropped: boolean;
  /** When the book turned out to be unreadable. */
  refusedAt?: number;
};

/**
 * Keeps the most recently read books open. A dropped one is closed when its last reader is done.
 */
export class PublicationCache {
  readonly #kept = new Map<string, CachedBook>();
  readonly #reader: PublicationReader;
  readonly #capacity: number;

  constructor(reader: PublicationReader, capacity = 16) {
    this.#reader = reader;
    this.#capacity = capacity;
  }

  /**
   * A changed file is opened again, and a refused one after a minute. Throws BrokenPublication,
   * TaskTimeout, Overload, or ENOENT for a missing file.
   */
  async lease(file: string): Promise<Lease> {
    const { size, mtimeMs } = await stat(file);
    const key = `${file}\0${size}\0${mtimeMs}`;
    const known = this.#kept.get(key);
    const kept: CachedBook =
      known === undefined || refusalIsOver(known.refusedAt)
        ? { opened: openPublication(file, this.#reader), users: 0, dropped: false }
        : known;
    // Re-inserted, so that the map's order is that of last use.
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    kept.users++;
    this.#dropOldest();
    try {
      const publication = await kept.opened;
      return { publication, release: once(() => this.#release(kept)) };
    } catch (error) {
      if (isRefusal(error)) kept.refusedAt ??= realNow();
      else if (this.#kept.get(key) === kept) this.#kept.delete(key);
      throw error;
    }
  }

  async close(): Promise<void> {
    const all = [...this.#kept.values()];
    this.#kept.clear();
    for (const kept of all) kept.dropped = true;
    await Promise.all(all.filter(({ users }) => users === 0).map(closeCached));
  }

  #release(kept: CachedBook): void {
    kept.users--;
    if (kept.dropped && kept.users === 0) void closeCached(kept);
  }

  #dropOldest(): void {
    for (const [key, kept] of this.#kept) {
      if (this.#kept.size <= this.#capacity) return;
      this.#kept.delete(key);
      kept.dropped = true;
      if (kept.users === 0) void closeCached(kept);
    }
  }
}

async function closeCached({ opened }: CachedBook): Promise<void> {
  const publication = await opened.catch(() => null);
  await publication?.archive.close();
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}
