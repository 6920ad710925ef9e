import { DomainError } from '../kernel/errors.ts';
import { isOn } from '../stores/store-property.ts';
import type { Database } from '../database/open.ts';

/** @throws DomainError conflict not_for_sale in a store that sells no titles */
export async function requireSelling(db: Database, storeId: string): Promise<void> {
  if (!(await isOn(db, storeId, 'ShowBuyTitle')))
    throw new DomainError('conflict', 'This shop sells no titles.', { code: 'not_for_sale' });
}
