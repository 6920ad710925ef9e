import { setTimeout } from 'node:timers/promises';
import { startShop, type RunningShop } from '../../tools/shop/running-shop.ts';
import type { Send } from './browser.ts';

const ADMIN_TOKEN = 'a token of the faults';

/** The network itself, whatever is broken in front of it. */
export const network: Send = globalThis.fetch;

export const startShopOfFaults = (): Promise<RunningShop> =>
  startShop({ env: { PASSWORD_COST: '1024', CODES_PER_HOUR: '100000', ADMIN_TOKEN } });

/** Kills a shop as a power cut would, and starts it again. */
export async function restart(shop: RunningShop): Promise<void> {
  await shop.kill();
  await shop.start();
  // It takes orders before its gateway is there again.
  const { origin } = new URL(shop.url);
  const health = origin.replace(/\d+$/, (port) => String(Number(port) + 1));
  const isUp = () =>
    network(new Request(`${health}/healthz`)).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) await setTimeout(20);
}

/** Asks the shop as its operator does. @throws where a store's ledger does not balance */
export async function checkLedger(shop: RunningShop, token = ADMIN_TOKEN): Promise<void> {
  const ask = async (what: string, body: object): Promise<{ rows: { store?: string }[]; says: string }> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const url = new URL(`/admin/operations/${what}`, shop.url);
    const answer = await network(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }));
    if (!answer.ok) throw new Error(`${what}: ${await answer.text()}`);
    return (await answer.json()) as { rows: { store?: string }[]; says: string };
  };
  const { rows } = await ask('stores/list', {});
  for (const { store } of rows) {
    const { says } = await ask('ledger/list', { store });
    if (!says.endsWith(' balances.')) throw new Error(says);
  }
}
