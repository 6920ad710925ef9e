import { readFile } from 'node:fs/promises';
import type { Database } from '../database/open.ts';
import { BadProvider, saveProviders } from './save-providers.ts';

async function readProvidersFile(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    // The parser's message would quote secrets.
    throw new BadProvider('The file must be readable, and valid JSON.');
  }
}

/**
 * Sets the providers of the stores that a file lists: `{"harbour": [{"kind": "oidc", …}]}`. All
 * changes or none.
 * @throws BadProvider
 */
export async function loadProviders(db: Database, file: string): Promise<void> {
  const providersByStore = await readProvidersFile(file);
  if (typeof providersByStore !== 'object' || providersByStore === null || Array.isArray(providersByStore))
    throw new BadProvider('The file must hold an object with a list of providers for each store.');
  await db.transaction().execute(async (trx) => {
    for (const [storeId, list] of Object.entries(providersByStore)) {
      const store = await trx.selectFrom('stores').select('id').where('id', '=', storeId).executeTakeFirst();
      if (!store) throw new BadProvider(`There is no store “${storeId}”.`);
      if (!Array.isArray(list)) throw new BadProvider(`The providers of “${storeId}” must be a list.`);
      await saveProviders(trx, storeId, list);
    }
  });
}
