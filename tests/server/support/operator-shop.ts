import type { AddressInfo } from 'node:net';
import { type CommandResult, runStoreCommand } from './deliveries.ts';
import { openShop, type Shop } from './shop.ts';

export const ADMIN_TOKEN = 'a token of the tests, long enough';

/** `run` runs the operator's command line against this shop, with its admin token. */
export type OperatorShop = Shop & { run: (...args: string[]) => Promise<CommandResult> };

/** Opens a shop that listens and accepts the operator's commands. */
export async function openOperatorShop(): Promise<OperatorShop> {
  const shop = await openShop({ config: { adminToken: ADMIN_TOKEN } });
  await shop.app.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(shop.app.server.address() as AddressInfo).port}`;
  return { ...shop, run: (...args) => runStoreCommand([...args, '--shop', url], { ADMIN_TOKEN }) };
}
