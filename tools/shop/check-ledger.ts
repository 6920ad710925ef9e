import type { ShopLocation } from './running-shop.ts';

/**
 * Asks a running shop's operator API whether every store's ledger balances.
 * @param send the unbroken `fetch`, for tests that break the global one
 * @throws Error if a ledger does not balance
 */
export async function checkLedger(
  shop: ShopLocation,
  token: string,
  send: (request: Request) => Promise<Response> = fetch,
): Promise<void> {
  const callOperation = async (operation: string, body: object): Promise<{ rows: { store?: string }[]; message: string }> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const url = new URL(`/admin/operations/${operation}`, shop.url);
    const response = await send(new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }));
    if (!response.ok)
      throw new Error(`The operation ${operation} failed with status ${response.status}: ${await response.text()}`);
    return (await response.json()) as { rows: { store?: string }[]; message: string };
  };
  const { rows } = await callOperation('stores/list', {});
  for (const { store } of rows) {
    const { message } = await callOperation('ledger/list', { store });
    if (!message.endsWith(' balances.')) throw new Error(message);
  }
}
