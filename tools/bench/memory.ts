import { Pool } from 'undici';
import { createDatabase } from '../shop/new-database.ts';
import { startPostgres } from '../shop/postgres.ts';
import { Customer } from '../browser/customer.ts';
import { startShop, type RunningShop } from '../shop/running-shop.ts';
import type { Row } from './rows.ts';

const CALLERS = 16;
/**
 * Numbers of requests at two measurements: when caches are full and heaps have grown, and at the
 * end.
 */
const REQUESTS = { first: 100_000, last: 400_000 };
/** Requests between two memory samples. */
const STEP = 10_000;

/** One request in so many is for a search page. */
const SEARCH_EVERY = 100;

const BROWSER_HEADERS = { accept: 'text/html,*/*;q=0.8', 'accept-encoding': 'gzip, deflate, br' };
const WORDS = ['harbour', 'night', 'sea', 'lamp', 'bread', 'winter', 'letter', 'street'];

type Queries = { store: string; customer: string };

/** A mixed load in rotation: new pages and lists, cached ones, a customer's own. */
const paths: readonly ((n: number, queries: Queries) => string)[] = [
  (n) => `/id:${getTitleId(n)}/number-${n}`,
  // The server renders a search page for each request: 40,000 would take most of the run.
  (n) => (n % SEARCH_EVERY === 1 ? `/all?search=${getWord(n)}+${n}` : '/all'),
  () => '/all',
  () => '/',
  (n, { store }) => `/api/titles?${store}&search=${getWord(n)}%20${n}`,
  (n, { store }) => `/api/titles?${store}&limit=${1 + (n % 50)}`,
  (n, { store }) => `/api/titles/${getTitleId(n)}?${store}`,
  (n, { store }) => `/api/titles/facets?${store}&search=${getWord(n)}`,
  (_, { customer }) => `/api/user/wishlist?${customer}`,
  (_, { customer }) => `/api/user/titles?${customer}`,
];
const getTitleId = (n: number): number => 1001 + (n % 12);
const getWord = (n: number): string => WORDS[n % WORDS.length] ?? '';
const getPath = (n: number, queries: Queries): string => paths[n % paths.length]?.(n, queries) ?? '/';

function toQueries({ config: { storeParameter, storeId }, token }: Customer): Queries {
  const store = { [storeParameter]: storeId };
  return {
    store: new URLSearchParams(store).toString(),
    customer: new URLSearchParams({ ...store, accesstoken: token }).toString(),
  };
}

/** Sends all requests. @returns the memory of the shop's process in MB after each STEP of them */
async function measureSamples(shop: RunningShop, customer: Customer): Promise<number[]> {
  const queries = toQueries(customer);
  const pool = new Pool(shop.url, { connections: CALLERS, pipelining: 1 });
  const memory: number[] = [];
  let next = 0;
  const sendRequests = async (): Promise<void> => {
    while (next < REQUESTS.last) {
      const n = next;
      next += 1;
      const path = getPath(n, queries);
      const { statusCode, body } = await pool.request({ method: 'GET', path, headers: BROWSER_HEADERS });
      await body.dump({ limit: Number.MAX_SAFE_INTEGER });
      if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: expected 200`);
      if ((n + 1) % STEP === 0) memory.push(shop.readMemory());
    }
  };
  try {
    await Promise.all(Array.from({ length: CALLERS }, sendRequests));
  } finally {
    await pool.destroy();
  }
  return memory;
}

/** The slope per step of the line through evenly spaced values (least squares). */
function computeSlope(values: readonly number[]): number {
  const center = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const covariance = values.reduce((sum, value, index) => sum + (index - center) * (value - mean), 0);
  return covariance / values.reduce((sum, _, index) => sum + (index - center) ** 2, 0);
}

/**
 * Measures how the memory of a shop with PostgreSQL and server rendering grows with the number of
 * requests.
 */
export async function measureMemory(): Promise<Row[]> {
  const postgres = await startPostgres();
  const shop = await startShop({ env: { DATABASE_URL: await createDatabase(postgres.url, 'memory') } });
  try {
    const initialMemory = shop.readMemory();
    const memory = await measureSamples(shop, await Customer.signUp(shop));
    const settledMemory = memory.slice(REQUESTS.first / STEP - 1);
    const perHundredThousand = (computeSlope(settledMemory) * 100_000) / STEP;
    return [
      { name: 'memory: at the start', value: initialMemory, unit: 'MB' },
      { name: `memory: after ${REQUESTS.first / 1000},000 mixed requests`, value: settledMemory[0] ?? Number.NaN, unit: 'MB' },
      { name: `memory: after ${REQUESTS.last / 1000},000`, value: settledMemory.at(-1) ?? Number.NaN, unit: 'MB', limit: 700 },
      { name: 'memory: growth per 100,000 requests between them', value: perHundredThousand, unit: 'MB', limit: 15 },
    ];
  } finally {
    await shop.remove();
    await postgres.stop();
  }
}
