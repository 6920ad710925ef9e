import { randomUUID } from 'node:crypto';
import { startShop, type RunningShop, type ShopOptions } from '../../../tools/shop/running-shop.ts';
import { newDatabase, TEMPLATE } from '../../../tools/shop/new-database.ts';

const variables = { databaseServer: 'COLOPHON_TEST_DATABASE_SERVER', data: 'COLOPHON_TEST_DATA' };

const variable = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is set by the global set-up`);
  return value;
};

/** Starts a shop that nobody has used: on a copy of the data folder and of the database that the set-up made. */
export async function startFreshShop(options: ShopOptions = {}): Promise<RunningShop> {
  const name = `shop_${randomUUID().replaceAll('-', '')}`;
  const database = await newDatabase(variable(variables.databaseServer), name, TEMPLATE);
  return startShop({
    ...options,
    env: { ...options.env, DATABASE_URL: database },
    from: variable(variables.data),
  });
}

/** Makes what `startFreshShop` copies, for whose sake it is made once: making it takes seconds, copying it does not. */
export async function makeFreshShop(databaseServer: string): Promise<RunningShop> {
  const shop = await startShop({ env: { DATABASE_URL: await newDatabase(databaseServer, TEMPLATE) } });
  await shop.stop();
  process.env[variables.databaseServer] = databaseServer;
  process.env[variables.data] = shop.data;
  return shop;
}
