import { Pool } from 'undici';
import { newDatabase } from '../shop/new-database.ts';
import { startPostgres } from '../shop/postgres.ts';
import { Customer } from '../browser/customer.ts';
import { startShop, type RunningShop } from '../shop/running-shop.ts';
import type { Row } from './rows.ts';

const CALLERS = 16;
/** Requests after which caches are full and the programs' heaps have their size, and at the end. */
const REQUESTS = { first: 100_000, last: 400_000 };
/** Requests between two looks at the memory. */
const STEP = 10_000;

/** Of so many requests one is for the page of a search. */
const SEARCH_EVERY = 100;

const AS_BROWSERS = { accept: 'text/html,*/*;q=0.8', 'accept-encoding': 'gzip, deflate, br' };
const WORDS = ['harbour', 'night', 'sea', 'lamp', 'bread', 'winter', 'letter', 'street'];

type Queries = { store: string; customer: string };

/** A mixed day, in turn: new pages and lists, others that are kept, a customer's own. */
const paths: readonly ((n: number, queries: Queries) => string)[] = [
  (n) => `/id:${titleOf(n)}/number-${n}`,
  // The server renders the page of a search for each request: 40,000 would take most of the time.
  (n) => (n % SEARCH_EVERY === 1 ? `/all?search=${wordOf(n)}+${n}` : '/all'),
  () => '/all',
  () => '/',
  (n, { store }) => `/api/titles?${store}&search=${wordOf(n)}%20${n}`,
  (n, { store }) => `/api/titles?${store}&limit=${1 + (n % 50)}`,
  (n, { store }) => `/api/titles/${titleOf(n)}?${store}`,
  (n, { store }) => `/api/titles/facets?${store}&search=${wordOf(n)}`,
  (_, { customer }) => `/api/user/wishlist?${customer}`,
  (_, { customer }) => `/api/user/titles?${customer}`,
];
const titleOf = (n: number): number => 1001 + (n % 12);
const wordOf = (n: number): string => WORDS[n % WORDS.length] ?? '';
const pathOf = (n: number, queries: Queries): string => paths[n % paths.length]?.(n, queries) ?? '/';

function queriesOf({ config: { storeParameter, storeId }, token }: Customer): Queries {
  const store = { [storeParameter]: storeId };
  return {
    store: new URLSearchParams(store).toString(),
    customer: new URLSearchParams({ ...store, accesstoken: token }).toString(),
  };
}

/** @returns the memory of the shop's process in MB, after each STEP of requests */
async function samples(shop: RunningShop, customer: Customer): Promise<number[]> {
  const queries = queriesOf(customer);
  const pool = new Pool(shop.url, { connections: CALLERS, pipelining: 1 });
  const memory: number[] = [];
  let next = 0;
  const call = async (): Promise<void> => {
    while (next < REQUESTS.last) {
      const n = next;
      next += 1;
      const path = pathOf(n, queries);
      const { statusCode, body } = await pool.request({ method: 'GET', path, headers: AS_BROWSERS });
      await body.dump({ limit: Number.MAX_SAFE_INTEGER });
      if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
      if ((n + 1) % STEP === 0) memory.push(shop.memory());
    }
  };
  try {
    await Promise.all(Array.from({ length: CALLERS }, call));
  } finally {
    await pool.destroy();
  }
  return memory;
}

/** The slope of the line through values at even distances (least squares), for each step. */
function slope(values: readonly number[]): number {
  const center = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const over = values.reduce((sum, value, at) => sum + (at - center) * (value - mean), 0);
  return over / values.reduce((sum, _, at) => sum + (at - center) ** 2, 0);
}

/**
 * How the memory of a shop on PostgreSQL with server rendering grows with the requests that it has
 * answered.
 */
export async function memoryRows(): Promise<Row[]> {
  const postgres = await startPostgres();
  const shop = await startShop({ env: { DATABASE_URL: await newDatabase(postgres.url, 'memory') } });
  try {
    const atStart = shop.memory();
    const memory = await samples(shop, await Customer.signUp(shop));
    const settled = memory.slice(REQUESTS.first / STEP - 1);
    const perHundredThousand = (slope(settled) * 100_000) / STEP;
    return [
      { name: 'memory: at the start', value: atStart, unit: 'MB' },
      { name: `memory: after ${REQUESTS.first / 1000},000 mixed requests`, value: settled[0] ?? Number.NaN, unit: 'MB' },
      { name: `memory: after ${REQUESTS.last / 1000},000`, value: settled.at(-1) ?? Number.NaN, unit: 'MB', limit: 700 },
      { name: 'memory: growth by 100,000 requests between them', value: perHundredThousand, unit: 'MB', limit: 15 },
    ];
  } finally {
    await shop.remove();
    await postgres.stop();
  }
}
