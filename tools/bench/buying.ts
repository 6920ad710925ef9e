import type { Browser, Page } from 'playwright-core';
import { checkLedger } from '../shop/check-ledger.ts';
import { createDatabase } from '../shop/new-database.ts';
import { startPostgres } from '../shop/postgres.ts';
import { Customer } from '../browser/customer.ts';
import { startShop, type RunningShop } from '../shop/running-shop.ts';
import { computeMedian, type Row } from './rows.ts';

const RUNS = 5;
const BUYERS = 50;

/** Titles of the demo store that have a price. */
const [firstTitleId, ...measuredTitleIds] = ['1004', '1001', '1002', '1003', '1005', '1006', '1008'] as const;

/** Creates a customer with a saved card, who has bought a title with it. */
async function createCustomerWithCard(shop: RunningShop): Promise<{ customer: Customer; cardId: string }> {
  const customer = await Customer.signUp(shop);
  const session = await customer.startPurchase(firstTitleId);
  await customer.submitGatewayForm(session, undefined, { keep: 'yes' });
  await readOk(customer.request('purchase/title/confirm', { transactonId: session.transId }));
  const cards = await readOk(customer.request('card/all'));
  const cardId = /<CardId>([^<]+)/.exec(cards)?.[1];
  if (cardId === undefined) throw new Error(`expected a saved card, got ${cards}`);
  return { customer, cardId };
}

async function readOk(responsePromise: Promise<Response>): Promise<string> {
  const response = await responsePromise;
  const text = await response.text();
  if (!response.ok) throw new Error(`${new URL(response.url).pathname} answered ${response.status}: ${text}`);
  return text;
}

// Runs in the page: measures on the page's own clock, from the press until the receipt is shown.
const pressAndWait = (): Promise<number> =>
  new Promise((resolve) => {
    const payButton = document.querySelector<HTMLButtonElement>('[data-event="pay.pressed"]');
    const start = performance.now();
    new MutationObserver((_, observer) => {
      if (document.querySelector(`[data-flow="receipt"][data-state='"shown"']`) === null) return;
      observer.disconnect();
      // Resolves after the next paint.
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
    payButton?.click();
  });

async function measurePress(page: Page, shop: RunningShop, titleId: string): Promise<number> {
  await page.goto(`${shop.url}/title/purchase?titleid=${titleId}`, { waitUntil: 'networkidle' });
  // The saved card is selected.
  await page.locator('[data-event="card.chosen"]:not([data-value=""]):checked').waitFor();
  return page.evaluate(pressAndWait);
}

/**
 * Measures how long a customer in Chromium waits for a title bought with a saved card. The first
 * purchase is not counted.
 */
export async function measurePresses(browser: Browser, shop: RunningShop): Promise<Row[]> {
  const { customer } = await createCustomerWithCard(shop);
  const context = await browser.newContext({ viewport: { width: 1366, height: 900 }, locale: 'en-GB' });
  await customer.signInBrowser(context);
  const page = await context.newPage();
  const times: number[] = [];
  for (const titleId of measuredTitleIds) times.push(await measurePress(page, shop, titleId));
  await context.close();
  const countedTimes = times.slice(-RUNS);
  return [
    { name: 'buying: from Pay with a saved card to the receipt', value: computeMedian(countedTimes), unit: 'ms', limit: 1000 },
    { name: 'buying: the slowest of five', value: Math.max(...countedTimes), unit: 'ms' },
  ];
}

/** Signs in, buys with the saved card, and reads the receipt. @returns milliseconds */
async function buyOnce(customer: Customer, cardId: string, titleId: string, networkAddress: string): Promise<number> {
  const start = performance.now();
  const token = await customer.signInOnDevice('a phone', networkAddress);
  const credentials = { accesstoken: token };
  await readOk(customer.request('payment/session', { ...credentials, titleId }));
  const purchase = await readOk(customer.request('purchase/title', { ...credentials, titleId, cardId }));
  const transId = /"transId":"([^"]+)"/.exec(purchase)?.[1] ?? '';
  const receipt = await readOk(customer.request('purchase/info', { ...credentials, transId }));
  if (!receipt.includes(`"titleId":"${titleId}"`)) throw new Error(`expected a receipt for title ${titleId}, got ${receipt}`);
  return performance.now() - start;
}

type BuyersResult = { errors: string[]; seconds: number; times: number[] };

/** Makes all buyers buy at once. */
async function runBuyers(shop: RunningShop): Promise<BuyersResult> {
  const [titleId] = measuredTitleIds;
  const buyers: Awaited<ReturnType<typeof createCustomerWithCard>>[] = [];
  // Creates a few buyers at a time: hashing passwords keeps the processor busy.
  while (buyers.length < BUYERS) buyers.push(...(await Promise.all([1, 2, 3, 4, 5].map(() => createCustomerWithCard(shop)))));
  const start = performance.now();
  const results = await Promise.allSettled(
    // Each from its own network address: the number of concurrent password checks per network is
    // limited.
    buyers.map(({ customer, cardId }, index) => buyOnce(customer, cardId, titleId, `10.${index}.0.1`)),
  );
  const seconds = (performance.now() - start) / 1000;
  const errors = results.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
  for (const { customer } of buyers) {
    const [charges, library] = [await customer.countCharges(), await customer.fetchLibrary()];
    if (charges !== 2 || library.length !== 2) errors.push(`charged ${charges} times for ${library.length} titles`);
  }
  await checkLedger(shop, adminToken).catch((error: unknown) => errors.push(String(error)));
  return { errors, seconds, times: results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])) };
}

const adminToken = 'a token of the bench';

const computePercentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? Number.NaN;

async function measureBuyers(database: string, environment: Record<string, string>): Promise<Row[]> {
  const shop = await startShop({ env: { ADMIN_TOKEN: adminToken, TRUST_PROXY: '127.0.0.1', ...environment } });
  try {
    const { errors, seconds, times } = await runBuyers(shop);
    for (const error of errors) console.error(`${BUYERS} buyers on ${database}: ${error}`);
    const formatName = (quantity: string) => `${BUYERS} buyers at once, ${database}: ${quantity}`;
    return [
      { name: formatName('errors, and charges that do not match the purchases'), value: errors.length, unit: 'errors', limit: 0 },
      { name: formatName('until all have their receipts'), value: seconds, unit: 's' },
      { name: formatName('median until the receipt'), value: computePercentile(times, 0.5), unit: 'ms' },
      { name: formatName('95 of 100 within'), value: computePercentile(times, 0.95), unit: 'ms' },
    ];
  } finally {
    await shop.remove();
  }
}

/** Measures many customers who buy at once, on the embedded database and on PostgreSQL. */
export async function measureConcurrentBuyers(): Promise<Row[]> {
  const embeddedRows = await measureBuyers('embedded database', {});
  const postgres = await startPostgres();
  try {
    const postgresRows = await measureBuyers('PostgreSQL', { DATABASE_URL: await createDatabase(postgres.url, 'bench') });
    // Pairs the rows of the two databases.
    return embeddedRows.flatMap((row, index) => [row, ...postgresRows.slice(index, index + 1)]);
  } finally {
    await postgres.stop();
  }
}
