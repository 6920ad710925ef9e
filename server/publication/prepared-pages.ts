import type { PageSource, PreparedPage } from './prepare-page.ts';
import { isRefusal, isRefusalOver } from './refusal.ts';
import { realNow } from '../base/clock/time.ts';

/** Cache size in bytes of changed pages per book. Most books have none. */
const MAX_CACHE_BYTES = 4 * 2 ** 20;

type CachedPage = { prepared: Promise<PreparedPage>; refusedAt?: number };

/** The pages of an open book, each prepared once; a refused one is not retried for a while. */
export class PreparedPages {
  readonly #prepare: (page: PageSource) => Promise<PreparedPage>;
  readonly #pages = new Map<string, CachedPage>();
  #cachedBytes = 0;

  constructor(prepare: (page: PageSource) => Promise<PreparedPage>) {
    this.#prepare = prepare;
  }

  async get(source: PageSource): Promise<PreparedPage> {
    const { name } = source.entry;
    const cached = this.#pages.get(name);
    if (cached !== undefined && !isRefusalOver(cached.refusedAt)) return cached.prepared;
    const page: CachedPage = { prepared: this.#prepare(source) };
    this.#pages.set(name, page);
    try {
      const prepared = await page.prepared;
      const bytes = prepared.body?.length ?? 0;
      if (this.#cachedBytes + bytes > MAX_CACHE_BYTES) this.#pages.delete(name);
      else this.#cachedBytes += bytes;
      return prepared;
    } catch (error) {
      if (isRefusal(error)) page.refusedAt = realNow();
      // A retry may succeed.
      else this.#pages.delete(name);
      throw error;
    }
  }
}
