import { randomUUID } from 'node:crypto';
import { startShop, type RunningShop, type ShopOptions } from '../../../tools/shop/running-shop.ts';
import { createDatabase, TEMPLATE_DATABASE } from '../../../tools/shop/new-database.ts';

const environmentNames = { databaseServer: 'COLOPHON_TEST_DATABASE_SERVER', data: 'COLOPHON_TEST_DATA' };

const readVariable = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} must be set by the global setup`);
  return value;
};

/**
 * Starts an unused shop on copies of the data folder and of the database that the global setup has
 * made.
 */
export async function startFreshShop(options: ShopOptions = {}): Promise<RunningShop> {
  const name = `shop_${randomUUID().replaceAll('-', '')}`;
  const databaseUrl = await createDatabase(readVariable(environmentNames.databaseServer), name, TEMPLATE_DATABASE);
  return startShop({
    ...options,
    env: { ...options.env, DATABASE_URL: databaseUrl },
    dataTemplate: readVariable(environmentNames.data),
  });
}

/**
 * Creates the originals that `startFreshShop` copies: a copy takes less time than a new database.
 */
export async function createTemplateShop(databaseServer: string): Promise<RunningShop> {
  const shop = await startShop({ env: { DATABASE_URL: await createDatabase(databaseServer, TEMPLATE_DATABASE) } });
  await shop.stop();
  process.env[environmentNames.databaseServer] = databaseServer;
  process.env[environmentNames.data] = shop.data;
  return shop;
}
