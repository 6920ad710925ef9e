import type { PageSource, PreparedPage } from './prepare-page.ts';
import { isRefusal, refusalIsOver } from './refusal.ts';
import { realNow } from '../base/clock/time.ts';

/** Cache size in bytes of changed pages per book. Most books have none. */
const MAX_KEPT_BYTES = 4 * 2 ** 20;

type KnownPage = { prepared: Promise<PreparedPage>; refusedAt?: number };

/** The pages of an open book, each prepared once; a refused one is not retried for a while. */
export class PreparedPages {
  readonly #prepare: (page: PageSource) => Promise<PreparedPage>;
  readonly #known = new Map<string, KnownPage>();
  #keptBytes = 0;

  constructor(prepare: (page: PageSource) => Promise<PreparedPage>) {
    this.#prepare = prepare;
  }

  async get(source: PageSource): Promise<PreparedPage> {
    const { name } = source.entry;
    const known = this.#known.get(name);
    if (known !== undefined && !refusalIsOver(known.refusedAt)) return known.prepared;
    const page: KnownPage = { prepared: this.#prepare(source) };
    this.#known.set(name, page);
    try {
      const prepared = await page.prepared;
      const bytes = prepared.body?.length ?? 0;
      if (this.#keptBytes + bytes > MAX_KEPT_BYTES) this.#known.delete(name);
      else this.#keptBytes += bytes;
      return prepared;
    } catch (error) {
      if (isRefusal(error)) page.refusedAt = realNow();
      // A retry may succeed.
      else this.#known.delete(name);
      throw error;
    }
  }
}
