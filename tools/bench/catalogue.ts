import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from '../../server/app.ts';
import { DEFAULT_MEDIA_LIFETIME, DEFAULT_MEDIA_RIGHTS_FRESHNESS, DEFAULT_STORE_FRESHNESS } from '../../server/base/config.ts';
import { openDatabase } from '../../server/database/open.ts';
import { testGateway } from '../../server/payment/test-gateway.ts';
import { saveStore } from '../../server/setup/save-store.ts';
import { categories, titlesOf, word } from './catalogue-titles.ts';
import type { Row } from './rows.ts';

const [small, large] = [1000, 100_000];
const rounds = 5;
const share = 0.95;

const orders = ['newest', 'oldest', 'title', 'title-desc', 'author', 'price', 'price-desc', 'popular'];
const someCategories = categories.filter((_, place) => place % 13 === 0).map(({ id }) => id);

/** What shoppers ask of a catalogue, kind by kind, as the query of the call. */
const kinds: Record<string, string[]> = {
  lists: orders.flatMap((sort) => [0, 1, 2, 3, 4].map((type) => `titles?sort=${sort}&titletype=${type}`)),
  filters: [
    ...someCategories.flatMap((id) => ['newest', 'title', 'price'].map((sort) => `titles?categoryid=${id}&sort=${sort}`)),
    ...orders.flatMap((sort) => [
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
  search: [0, 1, 5, 20, 60, 150, 400, 1500, 3500].flatMap((place) =>
    [1, 2, 3, 4, 99].flatMap((letters) => {
      const typed = word(place).slice(0, letters);
      return [`titles?search=${typed}`, `titles?search=${typed}&sort=title`, `titles?search=the+${typed}&titletype=1`];
    }),
  ),
  suggestions: [0, 1, 5, 20, 60, 150, 400, 1500, 3500].flatMap((place) =>
    [1, 2, 3, 4, 99].map((letters) => `titles/suggestions?search=${word(place).slice(0, letters)}`),
  ),
};

/** Milliseconds for what is worked out once for a version of the store and comes beside a list, which does not wait for it. */
const limits: Record<string, number> = { choices: 1500 };

/** A server of its own process's, on an embedded database of its own. */
async function serve(count: number): Promise<{ url: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-catalogue-'));
  const database = await openDatabase({ kind: 'folder', folder });
  await saveStore(database.db, { id: 'bench', isDefault: true, categories, titles: titlesOf(count) });
  const { app } = await createServer({
    db: database.db,
    config: {
      dataFolder: folder,
      mediaFolder: folder,
      titlesFolder: folder,
      distFolder: undefined,
      paymentOrigins: [],
      mediaSecret: Buffer.alloc(32),
      mediaLifetime: DEFAULT_MEDIA_LIFETIME,
      mediaRightsFreshness: DEFAULT_MEDIA_RIGHTS_FRESHNESS,
      passwordCost: 1024,
      signUpsPerHour: 1,
      smsPerCountryDay: 1,
      storeFreshness: DEFAULT_STORE_FRESHNESS,
      // What the database takes is measured, not what is kept.
      sharedAnswerBytes: 0,
    },
    payment: testGateway({ origin: 'http://127.0.0.1:1', secret: '', timeout: 1 }),
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

/** Milliseconds of a call's first page and, where there is one, of the page after it. */
async function ask(url: string, query: string, times: number[]): Promise<void> {
  const path = `${url}/api/${query}&shelfid=bench`;
  const first = await timed(path, times);
  const next = /<Titles[^>]* next="([^"]+)"/.exec(first)?.[1];
  if (next !== undefined) await timed(`${path}&cursor=${next}`, times);
}

async function timed(url: string, times: number[]): Promise<string> {
  const start = performance.now();
  const response = await fetch(url);
  const text = await response.text();
  times.push(performance.now() - start);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return text;
}

const ninetyFive = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;

/** Asks both servers the same in turn, so that a disturbance meets them alike; a first round is not counted. */
async function compare(queries: string[], few: string, many: string): Promise<{ before: number; after: number }> {
  const times = { few: [] as number[], many: [] as number[] };
  for (const query of queries) {
    await ask(few, query, []);
    await ask(many, query, []);
  }
  for (let round = 0; round < rounds; round += 1)
    for (const query of queries) {
      await ask(few, query, times.few);
      await ask(many, query, times.many);
    }
  return { before: ninetyFive(times.few), after: ninetyFive(times.many) };
}

/** What a hundred times as many titles cost a shopper. */
export async function catalogueRows(): Promise<Row[]> {
  const few = await serve(small);
  const many = await serve(large);
  const rows: Row[] = [];
  for (const [kind, queries] of Object.entries(kinds)) {
    const { before, after } = await compare(queries, few.url, many.url);
    rows.push(
      { name: `${kind} of ${large} titles: 95 of 100 answers within`, value: after, unit: 'ms', limit: limits[kind] ?? 50 },
      { name: `${kind} of ${small} titles: 95 of 100 answers within`, value: before, unit: 'ms' },
      // Counting looks at every title of a list.
      ...(kind in limits
        ? []
        : [{ name: `${kind}: times as long at ${large} titles`, value: after / before, unit: 'times', limit: 3 }]),
    );
  }
  await Promise.all([few.remove(), many.remove()]);
  return rows;
}
