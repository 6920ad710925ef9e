import { startPostgres } from '../../../tools/shop/postgres.ts';
import { createTemplateShop } from './fresh-shop.ts';

/**
 * One PostgreSQL for the shops of all tests: it takes less CPU time than an embedded one in each of
 * them.
 */
export default async function setUpShopTemplate(): Promise<() => Promise<void>> {
  const database = await startPostgres();
  const shop = await createTemplateShop(database.url);
  return async () => {
    await shop.remove();
    await database.stop();
  };
}
