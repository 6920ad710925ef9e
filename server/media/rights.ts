import { LRUCache } from 'lru-cache';
import { isLiveSession } from '../accounts/tokens.ts';
import type { Database } from '../database/open.ts';
import { findReadableCopy } from '../entitlements/ownership.ts';
import type { MediaReader } from '../publication/media-token.ts';

/** An open title, with its reader and the session that opened it. */
export type OpenTitle = { storeId: string; titleId: string; reader: MediaReader };

/** Maximum number of cached rights: one for each title that is being read. */
const MAX_CACHED_RIGHTS = 10_000;

/**
 * Checks which customer may still read which title. Rights are cached briefly, since range requests
 * come in bursts.
 */
export class MediaRights {
  readonly #db: Database;
  readonly #cachedRights: LRUCache<string, Promise<boolean>> | undefined;

  /** @param cacheTtl cache TTL in milliseconds; 0 reads the right for every request */
  constructor(db: Database, cacheTtl: number) {
    this.#db = db;
    this.#cachedRights = cacheTtl === 0 ? undefined : new LRUCache({ max: MAX_CACHED_RIGHTS, ttl: cacheTtl });
  }

  /** Whether the session is live and its customer may read the title. */
  mayRead(title: OpenTitle): Promise<boolean> {
    const key = JSON.stringify([title.storeId, title.titleId, title.reader.userId, title.reader.session]);
    const cachedRight = this.#cachedRights?.get(key);
    if (cachedRight) return cachedRight;
    const right = this.#read(title);
    this.#cachedRights?.set(key, right);
    // A missing right is not cached: a customer who buys the title again can read at once.
    const forget = (): void => void this.#cachedRights?.delete(key);
    right.then((isAllowed) => isAllowed || forget(), forget);
    return right;
  }

  async #read({ storeId, titleId, reader: { userId, session } }: OpenTitle): Promise<boolean> {
    if (!(await isLiveSession(this.#db, { storeId, userId, tokenHash: session }))) return false;
    return (await findReadableCopy(this.#db, { storeId, userId, titleId })) !== undefined;
  }
}
