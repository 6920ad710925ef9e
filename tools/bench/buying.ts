import type { Browser, Page } from 'playwright-core';
import { checkLedger } from '../shop/check-ledger.ts';
import { newDatabase } from '../shop/new-database.ts';
import { startPostgres } from '../shop/postgres.ts';
import { Customer } from '../browser/customer.ts';
import { startShop, type RunningShop } from '../shop/running-shop.ts';
import { median, type Row } from './rows.ts';

const runs = 5;
const buyers = 50;

/** Titles of the demo store that have a price. */
const [first, ...others] = ['1004', '1001', '1002', '1003', '1005', '1006', '1008'] as const;

/** A new customer whose card the gateway keeps, since they have bought something with it. */
async function withCard(shop: RunningShop): Promise<{ customer: Customer; cardId: string }> {
  const customer = await Customer.signUp(shop);
  const session = await customer.begins(first);
  await customer.answersGateway(session, undefined, { keep: 'yes' });
  await answered(customer.ask('purchase/title/confirm', { transactonId: session.transId }));
  const cards = await answered(customer.ask('card/all'));
  const cardId = /<CardId>([^<]+)/.exec(cards)?.[1];
  if (cardId === undefined) throw new Error(`no card was kept: ${cards}`);
  return { customer, cardId };
}

async function answered(asked: Promise<Response>): Promise<string> {
  const response = await asked;
  const text = await response.text();
  if (!response.ok) throw new Error(`${new URL(response.url).pathname} answered ${response.status}: ${text}`);
  return text;
}

// Runs in the page: the customer's own clock, from the press until the receipt stands there.
const pressAndWait = (): Promise<number> =>
  new Promise((resolve) => {
    const pay = document.querySelector<HTMLButtonElement>('[data-event="pay.pressed"]');
    const start = performance.now();
    new MutationObserver((_, observer) => {
      if (document.querySelector(`[data-flow="receipt"][data-state='"shown"']`) === null) return;
      observer.disconnect();
      // Until it has been painted.
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
    pay?.click();
  });

async function press(page: Page, shop: RunningShop, titleId: string): Promise<number> {
  await page.goto(`${shop.url}/title/purchase?titleid=${titleId}`, { waitUntil: 'networkidle' });
  // By the kept card, which is chosen.
  await page.locator('[data-event="card.chosen"]:not([data-value=""]):checked').waitFor();
  return page.evaluate(pressAndWait);
}

/** How long a customer in Chromium waits for a title that is bought by a kept card; the first one is not counted. */
export async function pressRows(browser: Browser, shop: RunningShop): Promise<Row[]> {
  const { customer } = await withCard(shop);
  const context = await browser.newContext({ viewport: { width: 1366, height: 900 }, locale: 'en-GB' });
  await customer.uses(context);
  const page = await context.newPage();
  const times: number[] = [];
  for (const titleId of others) times.push(await press(page, shop, titleId));
  await context.close();
  const counted = times.slice(-runs);
  return [
    { name: 'buying: from Pay by a kept card to the receipt', value: median(counted), unit: 'ms', limit: 1000 },
    { name: 'buying: the slowest of five', value: Math.max(...counted), unit: 'ms' },
  ];
}

/** Signs in, buys by the kept card, and reads the receipt. @returns milliseconds */
async function buyOnce(customer: Customer, cardId: string, titleId: string, address: string): Promise<number> {
  const start = performance.now();
  const token = await customer.signsInOn('a phone', address);
  const as = { accesstoken: token };
  await answered(customer.ask('payment/session', { ...as, titleId }));
  const bought = await answered(customer.ask('purchase/title', { ...as, titleId, cardId }));
  const transId = /"transId":"([^"]+)"/.exec(bought)?.[1] ?? '';
  const receipt = await answered(customer.ask('purchase/info', { ...as, transId }));
  if (!receipt.includes(`"titleId":"${titleId}"`)) throw new Error(`it is no receipt: ${receipt}`);
  return performance.now() - start;
}

type Crowd = { errors: string[]; seconds: number; times: number[] };

/** As many customers buy at once. */
async function crowd(shop: RunningShop): Promise<Crowd> {
  const [titleId] = others;
  const all: Awaited<ReturnType<typeof withCard>>[] = [];
  // A few at a time: passwords take the processor.
  while (all.length < buyers) all.push(...(await Promise.all([1, 2, 3, 4, 5].map(() => withCard(shop)))));
  const start = performance.now();
  const bought = await Promise.allSettled(
    // Each from a network of their own: one network may not have so many passwords checked at once.
    all.map(({ customer, cardId }, nth) => buyOnce(customer, cardId, titleId, `10.${nth}.0.1`)),
  );
  const seconds = (performance.now() - start) / 1000;
  const errors = bought.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
  for (const { customer } of all) {
    const [charges, library] = [await customer.charges(), await customer.library()];
    if (charges !== 2 || library.length !== 2) errors.push(`charged ${charges} times for ${library.length} titles`);
  }
  await checkLedger(shop, admin).catch((error: unknown) => errors.push(String(error)));
  return { errors, seconds, times: bought.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])) };
}

const admin = 'a token of the bench';

const share = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? Number.NaN;

async function crowdRows(database: string, environment: Record<string, string>): Promise<Row[]> {
  const shop = await startShop({ env: { ADMIN_TOKEN: admin, TRUST_PROXY: '127.0.0.1', ...environment } });
  try {
    const { errors, seconds, times } = await crowd(shop);
    for (const error of errors) console.error(`${buyers} buyers on ${database}: ${error}`);
    const name = (what: string) => `${buyers} buyers at once, ${database}: ${what}`;
    return [
      { name: name('errors, and books that do not balance'), value: errors.length, unit: 'errors', limit: 0 },
      { name: name('until all have their receipts'), value: seconds, unit: 's' },
      { name: name('half of them have it within'), value: share(times, 0.5), unit: 'ms' },
      { name: name('95 of 100 within'), value: share(times, 0.95), unit: 'ms' },
    ];
  } finally {
    await shop.remove();
  }
}

/** What many customers who buy at once wait for, on the embedded database and on PostgreSQL. */
export async function buyersRows(): Promise<Row[]> {
  const embedded = await crowdRows('embedded database', {});
  const postgres = await startPostgres();
  try {
    const real = await crowdRows('PostgreSQL', { DATABASE_URL: await newDatabase(postgres.url, 'bench') });
    // Beside each other.
    return embedded.flatMap((row, at) => [row, ...real.slice(at, at + 1)]);
  } finally {
    await postgres.stop();
  }
}
