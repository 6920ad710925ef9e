import { startPostgres } from '../../../tools/shop/postgres.ts';
import { makeFreshShop } from './fresh-shop.ts';

/** One PostgreSQL for the shops of all tests: it takes the processor less time than the embedded one would in each of them. */
export default async function setUp(): Promise<() => Promise<void>> {
  const database = await startPostgres();
  const shop = await makeFreshShop(database.url);
  return async () => {
    await shop.remove();
    await database.stop();
  };
}
