import type { AddressInfo } from 'node:net';
import { type Ending, operatorRuns } from './deliveries.ts';
import { openShop, type Shop } from './shop.ts';

export const ADMIN_TOKEN = 'a token of the tests, long enough';

/** `run` is the operator's command through this shop, with the token of its administrator. */
export type OperatorShop = Shop & { run: (...args: string[]) => Promise<Ending> };

/** A shop that listens and takes the operator's commands. */
export async function openOperatorShop(): Promise<OperatorShop> {
  const shop = await openShop({ config: { adminToken: ADMIN_TOKEN } });
  await shop.app.listen({ port: 0, host: '127.0.0.1' });
  const address = `http://127.0.0.1:${(shop.app.server.address() as AddressInfo).port}`;
  return { ...shop, run: (...args) => operatorRuns([...args, '--shop', address], { ADMIN_TOKEN }) };
}
