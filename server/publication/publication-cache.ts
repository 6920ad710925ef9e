import { stat } from 'node:fs/promises';
import { openPublication, type Publication, type PublicationReader } from './publication.ts';
import { isRefusal, isRefusalOver } from './refusal.ts';
import { realNow } from '../base/clock/time.ts';

/** A publication in use; call `release` when it is no longer read from. */
export type Lease = { publication: Publication; release: () => void };

type CachedBook = {
  publicationPromise: Promise<Publication>;
  users: number;
  dropped: boolean;
  /** When the book turned out to be unreadable. */
  refusedAt?: number;
};

/**
 * Keeps the most recently read books open. A dropped book is closed when its last reader is done.
 */
export class PublicationCache {
  readonly #books = new Map<string, CachedBook>();
  readonly #reader: PublicationReader;
  readonly #capacity: number;

  constructor(reader: PublicationReader, capacity = 16) {
    this.#reader = reader;
    this.#capacity = capacity;
  }

  /**
   * Leases the publication of a file. A changed file is opened again, and a refused file after a
   * minute. Throws BrokenPublication, TaskTimeout, TaskOutOfMemory, Overload, or ENOENT for a
   * missing file.
   */
  async lease(file: string): Promise<Lease> {
    const { size, mtimeMs } = await stat(file);
    const key = `${file}\0${size}\0${mtimeMs}`;
    const cached = this.#books.get(key);
    const book: CachedBook =
      cached === undefined || isRefusalOver(cached.refusedAt)
        ? { publicationPromise: openPublication(file, this.#reader), users: 0, dropped: false }
        : cached;
    // The book is re-inserted, so that the map is in the order of last use.
    this.#books.delete(key);
    this.#books.set(key, book);
    book.users++;
    this.#dropOldest();
    try {
      const publication = await book.publicationPromise;
      return { publication, release: runOnce(() => this.#release(book)) };
    } catch (error) {
      if (isRefusal(error)) book.refusedAt ??= realNow();
      else if (this.#books.get(key) === book) this.#books.delete(key);
      throw error;
    }
  }

  async close(): Promise<void> {
    const books = [...this.#books.values()];
    this.#books.clear();
    for (const book of books) book.dropped = true;
    await Promise.all(books.filter(({ users }) => users === 0).map(closeCached));
  }

  #release(book: CachedBook): void {
    book.users--;
    if (book.dropped && book.users === 0) void closeCached(book);
  }

  #dropOldest(): void {
    for (const [key, book] of this.#books) {
      if (this.#books.size <= this.#capacity) return;
      this.#books.delete(key);
      book.dropped = true;
      if (book.users === 0) void closeCached(book);
    }
  }
}

async function closeCached({ publicationPromise }: CachedBook): Promise<void> {
  const publication = await publicationPromise.catch(() => null);
  await publication?.archive.close();
}

function runOnce(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}
