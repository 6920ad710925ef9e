import { Refusal } from '../api/refusal.ts';
import { isOn } from '../catalogue/store-property.ts';
import type { Database } from '../database/open.ts';

/** @throws Refusal 409 not_for_sale in a store that sells no titles */
export async function requireSelling(db: Database, storeId: string): Promise<void> {
  if (!(await isOn(db, storeId, 'ShowBuyTitle'))) throw new Refusal(409, 'This shop sells no titles.', { code: 'not_for_sale' });
}
