import { LRUCache } from 'lru-cache';
import { readForAll } from '../database/cancel-reads.ts';
import type { Database } from '../database/open.ts';
import type { LanguageCode } from '../base/language.ts';

/**
 * The store of a call or a page. `host` is the one configured for it; `version` is raised by every
 * change to what all its visitors see.
 */
export type Store = {
  id: string;
  host: string | null;
  isDefault: boolean;
  currency: string;
  /** language of its texts that are given in only one */
  language: LanguageCode;
  appId: string;
  version: number;
};

const columns = ['id', 'host', 'is_default', 'currency', 'language', 'app_id', 'version'] as const;

type Row = Omit<Store, 'isDefault' | 'appId'> & { is_default: boolean; app_id: string };

const toStore = (row: Row | undefined): Store | undefined =>
  row && {
    id: row.id,
    host: row.host,
    isDefault: row.is_default,
    currency: row.currency,
    language: row.language,
    appId: row.app_id,
    version: row.version,
  };

/** Maximum number of cached stores and hosts; any caller can request unknown ones. */
const MAX_STORES = 1000;

/**
 * The server's stores by id and host, cached briefly: changes by other processes become visible
 * after that.
 */
export class Stores {
  readonly #db: Database;
  readonly #cachedStores: LRUCache<string, Promise<Store | undefined>> | undefined;

  /** @param cacheTtl cache TTL in milliseconds; 0 reads the store for every call */
  constructor(db: Database, cacheTtl: number) {
    this.#db = db;
    this.#cachedStores = cacheTtl === 0 ? undefined : new LRUCache({ max: MAX_STORES, ttl: cacheTtl });
  }

  /** The store of a call; undefined for an unknown id. */
  findById(id: string): Promise<Store | undefined> {
    return this.#read(`id ${id}`, async () =>
      toStore(await this.#db.selectFrom('stores').select(columns).where('id', '=', id).executeTakeFirst()),
    );
  }

  /**
   * The store served at a host: the one configured for it; at the server's own hosts else the
   * default store, else any without a host.
   */
  findByHost(hostname: string, isOwn: boolean): Promise<Store | undefined> {
    return this.#read(`host ${isOwn} ${hostname}`, async () =>
      toStore(
        await this.#db
          .selectFrom('stores')
          .select(columns)
          .where((eb) =>
            isOwn
              ? eb.or([eb('host', '=', hostname), eb('host', 'is', null), eb('is_default', '=', true)])
              : eb('host', '=', hostname),
          )
          .orderBy((eb) => eb.case().when('host', '=', hostname).then(0).when('is_default', '=', true).then(1).else(2).end())
          .orderBy('id')
          .executeTakeFirst(),
      ),
    );
  }

  /** Clears the cache after this process has changed a store. */
  clearCache(): void {
    this.#cachedStores?.clear();
  }

  #read(name: string, readStore: () => Promise<Store | undefined>): Promise<Store | undefined> {
    const cachedStore = this.#cachedStores?.get(name);
    if (cachedStore) return cachedStore;
    const store = readForAll(readStore);
    this.#cachedStores?.set(name, store);
    store.catch(() => this.#cachedStores?.delete(name));
    return store;
  }
}
