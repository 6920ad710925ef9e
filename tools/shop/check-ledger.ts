import type { ShopPlace } from './running-shop.ts';

/**
 * Asks a running shop's operator API whether every store's ledger balances.
 * @param send the real network, for tests that break the page's `fetch`
 * @throws Error if a ledger does not balance
 */
export async function checkLedger(
  shop: ShopPlace,
  token: string,
  send: (request: Request) => Promise<Response> = fetch,
): Promise<void> {
  const ask = async (operation: string, body: object): Promise<{ rows: { store?: string }[]; says: string }> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const url = new URL(`/admin/operations/${operation}`, shop.url);
    const answer = await send(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }));
    if (!answer.ok) throw new Error(`${operation}: ${await answer.text()}`);
    return (await answer.json()) as { rows: { store?: string }[]; says: string };
  };
  const { rows } = await ask('stores/list', {});
  for (const { store } of rows) {
    const { says } = await ask('ledger/list', { store });
    if (!says.endsWith(' balances.')) throw new Error(says);
  }
}
