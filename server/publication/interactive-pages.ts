import { readFile, stat } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { type GuardedPage, prepareInteractivePage } from './interactive-page.ts';

/**
 * Maximum bytes of a page. A title with all pictures in one file stays below; larger titles keep
 * them in files beside the page, which are not read whole. Preparing that many bytes blocks the
 * process for some 30 ms, once.
 */
export const MAX_INTERACTIVE_PAGE_BYTES = 8 * 2 ** 20;

/** Cache size in bytes of prepared pages. */
const MAX_CACHE_BYTES = 64 * 2 ** 20;

/** Pages of interactive titles, each prepared once per state of its file. */
export class InteractivePages {
  readonly #pages = new LRUCache<string, GuardedPage>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ body }) => body.length,
  });
  readonly #preparing = new Map<string, Promise<GuardedPage>>();

  /** The page of a file; `'too large'` above the maximum, `null` where the path is not a file. */
  async get(path: string): Promise<GuardedPage | 'too large' | null> {
    const stats = await stat(path);
    if (!stats.isFile()) return null;
    if (stats.size > MAX_INTERACTIVE_PAGE_BYTES) return 'too large';
    const key = `${path}\0${stats.mtimeMs}\0${stats.size}`;
    return this.#pages.get(key) ?? this.#preparing.get(key) ?? this.#prepare(path, key);
  }

  #prepare(path: string, key: string): Promise<GuardedPage> {
    const page = readFile(path)
      .then((source) => {
        const prepared = prepareInteractivePage(source);
        this.#pages.set(key, prepared);
        return prepared;
      })
      .finally(() => this.#preparing.delete(key));
    this.#preparing.set(key, page);
    return page;
  }
}
