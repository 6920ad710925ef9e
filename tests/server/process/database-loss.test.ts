import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../../machines/paths/walk.ts';
import { type OpenDatabase, openDatabase } from '../../../server/database/open.ts';
import { startFaultyProxy } from '../support/faulty-tcp-proxy.ts';
import { type PurchaseResult, expectOnceOrNever } from '../support/kill-run.ts';
import { type StartedGateway, startGatewayProcess } from '../support/started-gateway.ts';
import { startShop, type StartedShop } from '../support/started-shop.ts';
import { STORE, RetryingCustomer } from '../support/retrying-customer.ts';
import { newEmptyDatabase } from '../support/test-database.ts';

const GATEWAY_SECRET = 'what shop and gateway share';
const CUSTOMER_COUNT = 4;
/** Milliseconds of purchases while connections are cut; a minute with `npm test -- --all`. */
const CUT_MS = process.env['SERVER_TURN'] === undefined ? 60_000 : 10_000;
/** Milliseconds between two cuts, at most. */
const MAX_PAUSE_MS = 300;

let folder: string;
let url: string;
let faultyProxy: Awaited<ReturnType<typeof startFaultyProxy>>;
let gateway: StartedGateway;
let shop: StartedShop;
let observer: OpenDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-loss-'));
  const database = await newEmptyDatabase();
  if (database.kind !== 'server') throw new Error('This test cuts connections to a database server; the embedded one has none.');
  url = database.url;
  gateway = await startGatewayProcess({ PORT: '0', GATEWAY_FOLDER: join(folder, 'gateway'), GATEWAY_SECRET });
  faultyProxy = await startFaultyProxy(url);
  shop = await startShop({
    DATA_DIR: join(folder, 'shop'),
    PORT: '0',
    DATABASE_URL: faultyProxy.url,
    PAYMENT_GATEWAY_URL: gateway.origin,
    PAYMENT_GATEWAY_SECRET: GATEWAY_SECRET,
    PAYMENT_TIMEOUT: '1500',
    SIGN_UPS_PER_HOUR: '1000',
  });
  if (shop.address === '') throw new Error(`The shop did not become ready: ${shop.stderr}`);
  observer = await openDatabase(database);
});
afterAll(async () => {
  await observer.close();
  await shop.end('SIGKILL');
  await gateway.end('SIGKILL');
  await faultyProxy.close();
  await rm(folder, { recursive: true, force: true });
});

const fetchTitles = () => fetch(`${shop.address}/api/titles?shelfid=${STORE}&limit=100`);

test('a shop whose database connections are cut at random keeps running, and loses no purchase that it confirmed', async () => {
  const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000);
  console.info(`cutting at random: KILL_SEED=${seed}`);
  const random = seededRandom(seed);
  const shopAccess = { address: () => shop.address, onSend: () => {}, waitUntilRecovered: async () => {} };
  const customers = await Promise.all(Array.from({ length: CUSTOMER_COUNT }, () => RetryingCustomer.signUp(shopAccess)));
  const titleTexts = (await (await fetchTitles()).text()).split('<Title>');
  const titleIds = titleTexts
    .filter((text) => text.includes('<ForSale>true') && text.includes('<Free>false'))
    .flatMap((text) => /<TitleId>([^<]*)</.exec(text)?.[1] ?? []);

  const killer = new pg.Client({ connectionString: url });
  await killer.connect();
  const endTime = performance.now() + CUT_MS;
  const isOver = () => performance.now() > endTime;
  let cutCount = 0;
  const cutLoop = (async () => {
    while (!isOver()) {
      await new Promise((resolve) => setTimeout(resolve, random() * MAX_PAUSE_MS));
      // Prefers a connection that is not idle.
      const { rowCount } = await killer.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
         order by state = 'idle', random() limit 1`,
      );
      cutCount += rowCount ?? 0;
    }
  })();
  const purchases = await Promise.all(
    customers.map(async (customer, index) => {
      const results: PurchaseResult[] = [];
      for (let count = 0; !isOver() && count < titleIds.length; count += 1) {
        const plan = { titleId: titleIds[(index + count) % titleIds.length] ?? '', card: 'good', manner: 'buys' } as const;
        results.push({ customer, plan, outcomes: [await customer.buy(plan)] });
      }
      return results;
    }),
  );
  await cutLoop;
  await killer.end();
  console.info(`${purchases.flat().length} purchases, ${cutCount} connections cut`);
  expect(cutCount).toBeGreaterThan(10);
  expect(purchases.flat().length).toBeGreaterThan(CUSTOMER_COUNT);
  await expect.poll(async () => (await fetchTitles()).status, { timeout: 20_000 }).toBe(200);
  await expectOnceOrNever(observer.db, join(folder, 'gateway'), purchases.flat());
}, 180_000);

test('while the database is down, calls and pages are answered 503 with Retry-After, and the shop recovers with it', async () => {
  const port = Number(new URL(faultyProxy.url).port);
  await faultyProxy.close();
  const accountUrl = `${shop.address}/api/user/validate?shelfid=${STORE}&accesstoken=${'x'.repeat(43)}`;
  const readStatuses = async () => {
    const responses = await Promise.all([fetch(accountUrl), fetch(`${shop.address}/sitemap.xml`)]);
    return responses.map(({ status, headers }) => [status, headers.get('retry-after')]);
  };
  await expect.poll(readStatuses, { timeout: 20_000 }).toEqual([
    [503, '5'],
    [503, '5'],
  ]);
  faultyProxy = await startFaultyProxy(url, port);
  await expect.poll(async () => (await fetchTitles()).status, { timeout: 20_000 }).toBe(200);
  expect((await fetch(`${shop.address}/healthz`)).status).toBe(200);
});
