import { DomainError } from '../kernel/errors.ts';
import { isPropertyOn } from '../stores/store-property.ts';
import type { Database } from '../database/open.ts';

/** @throws DomainError conflict not_for_sale if the store does not sell titles */
export async function requireSelling(db: Database, storeId: string): Promise<void> {
  if (!(await isPropertyOn(db, storeId, 'ShowBuyTitle')))
    throw new DomainError('conflict', 'This shop sells no titles.', { code: 'not_for_sale' });
}
