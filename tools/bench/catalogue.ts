import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from '../../server/app.ts';
import { DEFAULT_MEDIA_LIFETIME_S, DEFAULT_MEDIA_RIGHTS_CACHE_MS, DEFAULT_STORE_CACHE_MS } from '../../server/base/config.ts';
import { openDatabase } from '../../server/database/open.ts';
import { createTestGateway } from '../../server/payment/test-gateway.ts';
import { saveStore } from '../../server/setup/save-store.ts';
import { categories, createTitles, createWord } from './catalogue-titles.ts';
import type { Row } from './rows.ts';

const [smallCount, largeCount] = [1000, 100_000];
const ROUNDS = 5;
const PERCENTILE = 0.95;

const sortOrders = ['newest', 'oldest', 'title', 'title-desc', 'author', 'price', 'price-desc', 'popular'];
const someCategories = categories.filter((_, index) => index % 13 === 0).map(({ id }) => id);

/** Catalogue requests of shoppers by kind, each as the query of its call. */
const queriesByKind: Record<string, string[]> = {
  lists: sortOrders.flatMap((sort) => [0, 1, 2, 3, 4].map((type) => `titles?sort=${sort}&titletype=${type}`)),
  filters: [
    ...someCategories.flatMap((id) => ['newest', 'title', 'price'].map((sort) => `titles?categoryid=${id}&sort=${sort}`)),
    ...sortOrders.flatMap((sort) => [
      `titles?free=true&sort=${sort}`,
      `titles?pricefrom=5&priceto=9.99&sort=${sort}`,
      `titles?pricefrom=39&titletype=2&sort=${sort}`,
      `titles?categoryid=c3&titletype=4&priceto=2&sort=${sort}`,
    ]),
  ],
  choices: [
    ...[0, 1, 2, 3, 4].map((type) => `titles/facets?titletype=${type}`),
    ...someCategories.slice(0, 8).map((id) => `titles/facets?categoryid=${id}&languages=fr`),
    'titles/facets?languages=en,fr',
    'titles/facets?categories=c3,c5&priceto=4.99',
    'titles/facets?kinds=2&pricefrom=5&priceto=9.99',
  ],
  search: [0, 1, 5, 20, 60, 150, 400, 1500, 3500].flatMap((rank) =>
    [1, 2, 3, 4, 99].flatMap((letters) => {
      const input = createWord(rank).slice(0, letters);
      return [`titles?search=${input}`, `titles?search=${input}&sort=title`, `titles?search=the+${input}&titletype=1`];
    }),
  ),
  suggestions: [0, 1, 5, 20, 60, 150, 400, 1500, 3500].flatMap((rank) =>
    [1, 2, 3, 4, 99].map((letters) => `titles/suggestions?search=${createWord(rank).slice(0, letters)}`),
  ),
};

/**
 * Limits in ms for responses that are computed once per store version and loaded beside a list,
 * which does not wait for them.
 */
const limitsMs: Record<string, number> = { choices: 1500 };

/** Starts a server with `count` titles, on its own embedded database. */
async function startCatalogueServer(count: number): Promise<{ url: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-catalogue-'));
  const database = await openDatabase({ kind: 'folder', folder });
  await saveStore(database.db, { id: 'bench', isDefault: true, categories, titles: createTitles(count) });
  const { app } = await createServer({
    db: database.db,
    config: {
      dataFolder: folder,
      mediaFolder: folder,
      titlesFolder: folder,
      distFolder: undefined,
      paymentOrigins: [],
      mediaSecret: Buffer.alloc(32),
      mediaLifetime: DEFAULT_MEDIA_LIFETIME_S,
      mediaRightsFreshness: DEFAULT_MEDIA_RIGHTS_CACHE_MS,
      passwordCost: 1024,
      signUpsPerHour: 1,
      smsPerCountryDay: 1,
      storeFreshness: DEFAULT_STORE_CACHE_MS,
      // Measures the database, not the cache.
      sharedAnswerBytes: 0,
    },
    payment: createTestGateway({ origin: 'http://127.0.0.1:1', secret: '', timeout: 1 }),
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    url,
    async remove() {
      await app.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Fetches a call's first page, and the next page if any; adds the ms of each to `times`. */
async function fetchPages(url: string, query: string, times: number[]): Promise<void> {
  const path = `${url}/api/${query}&shelfid=bench`;
  const firstPage = await fetchTimed(path, times);
  const nextCursor = /<Titles[^>]* next="([^"]+)"/.exec(firstPage)?.[1];
  if (nextCursor !== undefined) await fetchTimed(`${path}&cursor=${nextCursor}`, times);
}

async function fetchTimed(url: string, times: number[]): Promise<string> {
  const start = performance.now();
  const response = await fetch(url);
  const text = await response.text();
  times.push(performance.now() - start);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return text;
}

const computePercentile95 = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * PERCENTILE)] ?? Number.NaN;

/**
 * Sends the same requests to both servers alternately, so that a disturbance affects both; the
 * first round is not counted.
 */
async function compareServers(
  queries: string[],
  smallUrl: string,
  largeUrl: string,
): Promise<{ smallMs: number; largeMs: number }> {
  const times = { few: [] as number[], many: [] as number[] };
  for (const query of queries) {
    await fetchPages(smallUrl, query, []);
    await fetchPages(largeUrl, query, []);
  }
  for (let round = 0; round < ROUNDS; round += 1)
    for (const query of queries) {
      await fetchPages(smallUrl, query, times.few);
      await fetchPages(largeUrl, query, times.many);
    }
  return { smallMs: computePercentile95(times.few), largeMs: computePercentile95(times.many) };
}

/** Measures the cost to a shopper of a hundred times as many titles. */
export async function measureCatalogue(): Promise<Row[]> {
  const smallServer = await startCatalogueServer(smallCount);
  const largeServer = await startCatalogueServer(largeCount);
  const rows: Row[] = [];
  for (const [kind, queries] of Object.entries(queriesByKind)) {
    const { smallMs, largeMs } = await compareServers(queries, smallServer.url, largeServer.url);
    rows.push(
      { name: `${kind} of ${largeCount} titles: 95th percentile`, value: largeMs, unit: 'ms', limit: limitsMs[kind] ?? 50 },
      { name: `${kind} of ${smallCount} titles: 95th percentile`, value: smallMs, unit: 'ms' },
      // Counting scans every title of a list.
      ...(kind in limitsMs
        ? []
        : [{ name: `${kind}: factor at ${largeCount} titles`, value: largeMs / smallMs, unit: 'times', limit: 3 }]),
    );
  }
  await Promise.all([smallServer.remove(), largeServer.remove()]);
  return rows;
}
