import type { Database } from '../database/open.ts';
import type { Cache } from './cache.ts';
import type { Vocabularies } from './near-words.ts';

/** Dependencies of the title lists. */
export type CatalogueServices = { db: Database; cache: Cache; vocabularies: Vocabularies };
