import type { Database } from '../database/open.ts';
import type { LanguageCode } from '../base/language.ts';

/**
 * Serialises changes of a store's offers, inside the caller's transaction. @returns the store's
 * main language
 */
export async function lockStore(trx: Database, storeId: string): Promise<LanguageCode> {
  const { language } = await trx
    .selectFrom('stores')
    .select('language')
    .where('id', '=', storeId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return language;
}
