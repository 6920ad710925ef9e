import { readFile } from 'node:fs/promises';
import type { Customer } from './customers.ts';
import type { Shop } from './shop.ts';

/** Card numbers that the test gateway accepts, by what happens to payments with them. */
export const CARD_NUMBERS = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  challenge: '4000 0027 6000 3184',
  poor: '4000 0000 0000 9995',
  lost: '4000 0000 0000 0119',
  once: '4000 0000 0000 0341',
  retried: '4000 0000 0000 0358',
  expired: '4000 0000 0000 0069',
  late: '4000 0000 0000 5019',
  twice: '4000 0000 0000 5027',
  disordered: '4000 0000 0000 5035',
};

export type Session = { transId: string; provider: string; url: string };

export async function startPayment(shop: Shop, customer: Customer, titleId: string): Promise<Session> {
  const { status, value, text } = await shop.call('paymentSession', '/payment/session', {
    query: { ...customer.query, titleId },
  });
  if (status !== 200) throw new Error(`No payment session for the title ${titleId}: HTTP ${status} ${text}`);
  return value as Session;
}

/** Submits a form of the gateway's page, as a browser would. */
export const postFields = (url: string, form: Record<string, string>): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

/** Fills in the gateway's card form. @returns its response: a redirect, or the form again */
export const submitCardForm = (url: string, number: string, extraFields: Record<string, string> = {}): Promise<Response> =>
  postFields(url, { number, expiry: '12/40', cvc: '123', name: 'Ann Example', ...extraFields });

/** Starts a payment of a title and authorises it, without confirming it. */
export async function authorizePayment(
  shop: Shop,
  customer: Customer,
  titleId: string,
  card = CARD_NUMBERS.good,
): Promise<Session> {
  const session = await startPayment(shop, customer, titleId);
  const response = await submitCardForm(session.url, card);
  if (response.status !== 303) throw new Error(`The card was not accepted: HTTP ${response.status} ${await response.text()}`);
  return session;
}

export const confirmPayment = (shop: Shop, customer: Customer, transId: string, headers: Record<string, string> = {}) =>
  shop.call('confirmTitlePurchase', '/purchase/title/confirm', { query: { ...customer.query, transactonId: transId }, headers });

export const readSessionStatus = async (shop: Shop, customer: Customer, transId: string) =>
  (await shop.call('sessionStatus', '/checkout/session/status', { query: { ...customer.query, transId } })).value as Record<
    string,
    unknown
  >;

/** The number of charges of a transaction in the gateway's journal. */
export async function countCharges(shop: Shop, transId: string): Promise<number> {
  const lines = (await readFile(`${shop.gateway.folder}/journal.jsonl`, 'utf8')).trim().split('\n');
  // A refund writes another line for the same intent.
  const charges = lines
    .map((line) => JSON.parse(line) as { intent?: { id: string; reference: string; state: string } })
    .filter(({ intent }) => intent?.state === 'captured' && intent.reference.endsWith(`/${transId}`));
  return new Set(charges.map(({ intent }) => intent?.id)).size;
}

/** Counts a customer's purchases, entitlements (`copies`) and paid transactions of a title. */
export async function countHoldings(
  shop: Shop,
  customer: Customer,
  titleId: string,
): Promise<{ purchases: number; copies: number; paid: number }> {
  const selectRows = async (table: 'purchases' | 'entitlements' | 'transactions') =>
    shop.db
      .selectFrom(table)
      .selectAll()
      .where('store_id', '=', customer.store)
      .where('user_id', '=', customer.id)
      .where('title_id', '=', titleId)
      .execute();
  const [purchases, copies, transactions] = await Promise.all([
    selectRows('purchases'),
    selectRows('entitlements'),
    selectRows('transactions'),
  ]);
  const paid = transactions.filter((row) => 'status' in row && row.status === 'paid').length;
  return { purchases: purchases.length, copies: copies.length, paid };
}
