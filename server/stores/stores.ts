import { LRUCache } from 'lru-cache';
import { readForAll } from '../database/caller-gone.ts';
import type { Database } from '../database/open.ts';
import type { LanguageCode } from '../base/language.ts';

/**
 * The store that a call or a page is about. `host` is the one that it claims for itself; `version` is raised by every change of
 * what it shows to everybody.
 */
export type Store = {
  id: string;
  host: string | null;
  isDefault: boolean;
  currency: string;
  /** in which its own words are, where it gives them in one alone */
  language: LanguageCode;
  appId: string;
  version: number;
};

const columns = ['id', 'host', 'is_default', 'currency', 'language', 'app_id', 'version'] as const;

type Row = Omit<Store, 'isDefault' | 'appId'> & { is_default: boolean; app_id: string };

const storeOf = (row: Row | undefined): Store | undefined =>
  row && {
    id: row.id,
    host: row.host,
    isDefault: row.is_default,
    currency: row.currency,
    language: row.language,
    appId: row.app_id,
    version: row.version,
  };

/** Stores and hosts that are remembered; anybody can ask for names that are none. */
const MOST = 1000;

/** The server's stores, by their ids and hosts. What was read counts for a moment: changes by other processes show after it. */
export class Stores {
  readonly #db: Database;
  readonly #known: LRUCache<string, Promise<Store | undefined>> | undefined;

  /** @param freshFor milliseconds for which a store is taken as it was read; 0 reads it for every call */
  constructor(db: Database, freshFor: number) {
    this.#db = db;
    this.#known = freshFor === 0 ? undefined : new LRUCache({ max: MOST, ttl: freshFor });
  }

  /** The store that a call names; undefined when there is none of that id. */
  byId(id: string): Promise<Store | undefined> {
    return this.#read(`id ${id}`, async () =>
      storeOf(await this.#db.selectFrom('stores').select(columns).where('id', '=', id).executeTakeFirst()),
    );
  }

  /** The store whose pages are served at a host: the one that claims it, else at the server's own the default one, else any without a host. */
  byHost(hostname: string, isOwn: boolean): Promise<Store | undefined> {
    return this.#read(`host ${isOwn} ${hostname}`, async () =>
      storeOf(
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

  /** Reads all anew: this process has changed one. */
  forget(): void {
    this.#known?.clear();
  }

  #read(name: string, read: () => Promise<Store | undefined>): Promise<Store | undefined> {
    const known = this.#known?.get(name);
    if (known) return known;
    const reading = readForAll(read);
    this.#known?.set(name, reading);
    reading.catch(() => this.#known?.delete(name));
    return reading;
  }
}
