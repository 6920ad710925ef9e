import type { Database } from '../database/open.ts';
import type { Cache } from './cache.ts';
import type { Vocabularies } from './near-words.ts';

/** Services that lists of titles work with. */
export type CatalogueServices = { db: Database; cache: Cache; vocabularies: Vocabularies };
