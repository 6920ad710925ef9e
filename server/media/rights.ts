import { LRUCache } from 'lru-cache';
import { isLiveSession } from '../accounts/tokens.ts';
import type { Database } from '../database/open.ts';
import { findReadableCopy } from '../entitlements/ownership.ts';
import type { MediaReader } from '../publication/media-token.ts';

/** An open title, with its reader and the session that opened it. */
export type OpenTitle = { storeId: string; titleId: string; reader: MediaReader };

/** Cached rights: one for each title that is being read. */
const MAX_REMEMBERED = 10_000;

/**
 * Checks which customer may still read which title. Rights are cached briefly, since range requests
 * come in bursts.
 */
export class MediaRights {
  readonly #db: Database;
  readonly #known: LRUCache<string, Promise<boolean>> | undefined;

  /** @param freshFor cache TTL in milliseconds; 0 reads the right for every request */
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
    // A missing right is not cached: a customer who buys the title again can read at once.
    const forget = (): void => void this.#known?.delete(key);
    read.then((may) => may || forget(), forget);
    return read;
  }

  async #read({ storeId, titleId, reader: { userId, session } }: OpenTitle): Promise<boolean> {
    if (!(await isLiveSession(this.#db, { storeId, userId, tokenHash: session }))) return false;
    return (await findReadableCopy(this.#db, { storeId, userId, titleId })) !== undefined;
  }
}
