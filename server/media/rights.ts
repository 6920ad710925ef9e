import { LRUCache } from 'lru-cache';
import { isLiveSession } from '../accounts/tokens.ts';
import type { Database } from '../database/open.ts';
import { readableCopy } from '../entitlements/ownership.ts';
import type { MediaReader } from '../publication/media-token.ts';

/** A title that a customer has open, and the session in which they opened it. */
export type OpenTitle = { storeId: string; titleId: string; reader: MediaReader };

/** Rights that are remembered: one for each title that is being read. */
const MAX_REMEMBERED = 10_000;

/**
 * Knows who may still read which title. A right is remembered for a moment: ranged requests come
 * many at a time.
 */
export class MediaRights {
  readonly #db: Database;
  readonly #known: LRUCache<string, Promise<boolean>> | undefined;

  /**
   * @param freshFor milliseconds for which a right counts as it was read; 0 reads it for every
   * request
   */
  constructor(db: Database, freshFor: number) {
    this.#db = db;
    this.#known = freshFor === 0 ? undefined : new LRUCache({ max: MAX_REMEMBERED, ttl: freshFor });
  }

  /** Whether the session is live and its customer may read the title. */
  mayRead(open: OpenTitle): Promise<boolean> {
    const key = JSON.stringify([open.storeId, open.titleId, open.reader.userId, open.reader.session]);
    const known = this.#known?.get(key);
    if (known) return known;
    const read = this.#read(open);
    this.#known?.set(key, read);
    // A lack of the right is not remembered: a customer who buys the title again reads on at once.
    const forget = (): void => void this.#known?.delete(key);
    read.then((may) => may || forget(), forget);
    return read;
  }

  async #read({ storeId, titleId, reader: { userId, session } }: OpenTitle): Promise<boolean> {
    if (!(await isLiveSession(this.#db, { storeId, userId, tokenHash: session }))) return false;
    return (await readableCopy(this.#db, { storeId, userId, titleId })) !== undefined;
  }
}
