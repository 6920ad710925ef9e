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
 * Starts an unused shop: on a copy of the data folder and of the database that the global setup
 * made.
 */
export async function startFreshShop(options: ShopOptions = {}): Promise<RunningShop> {
  const name = `shop_${randomUUID().replaceAll('-', '')}`;
  const database = await createDatabase(readVariable(environmentNames.databaseServer), name, TEMPLATE_DATABASE);
  return startShop({
    ...options,
    env: { ...options.env, DATABASE_URL: database },
    dataTemplate: readVariable(environmentNames.data),
  });
}

/**
 * Makes the originals that `startFreshShop` copies: making them takes seconds, copying does not.
 */
export async function createTemplateShop(databaseServer: string): Promise<RunningShop> {
  const shop = await startShop({ env: { DATABASE_URL: await createDatabase(databaseServer, TEMPLATE_DATABASE) } });
  await shop.stop();
  process.env[environmentNames.databaseServer] = databaseServer;
  process.env[environmentNames.data] = shop.data;
  return shop;
}
