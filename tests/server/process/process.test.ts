import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { type DatabaseAddress, openDatabase } from '../../../server/database/open.ts';
import { loadDemoStores } from '../../../server/setup/demo-store.ts';
import { findFreePort } from '../../../tools/shop/free-ports.ts';
import { isAlive, startShop, type StartedShop } from '../support/started-shop.ts';
import { newEmptyDatabase, newTestDatabase } from '../support/test-database.ts';
import { signUpCustomer } from '../support/visitor.ts';

let folders: string;
let folder: string;
const runningShops: StartedShop[] = [];

const isEmbedded = inject('databaseServer') === '';
/** The database of the current test's shops. */
let database: DatabaseAddress;

const start = async (more: Record<string, string> = {}) => {
  const url: Record<string, string> = database.kind === 'server' ? { DATABASE_URL: database.url } : {};
  const shop = await startShop({ DATA_DIR: folder, PORT: '0', ...url, ...more });
  runningShops.push(shop);
  return shop;
};

/**
 * A folder as the first start leaves it, since creating the embedded database is slow. A real
 * server gets a new database.
 */
const startFresh = async (name: string) => {
  folder = join(folders, name);
  if (isEmbedded) await cp(join(folders, 'first'), folder, { recursive: true });
  database = isEmbedded ? { kind: 'folder', folder } : await newTestDatabase();
};
/** For the lock on the embedded database's folder, which a real server does not need. */
const testEmbedded = test.skipIf(!isEmbedded);
if (!isEmbedded) console.info('skipped: a real database server has no folder to lock');
let firstOutput = '';

beforeAll(async () => {
  folders = await mkdtemp(join(tmpdir(), 'colophon-process-'));
  folder = join(folders, 'first');
  database = isEmbedded ? { kind: 'folder', folder } : await newEmptyDatabase();
  const first = await start();
  firstOutput = first.said;
  await first.end('SIGTERM');
});
afterEach(async () => {
  for (const shop of runningShops.splice(0)) await shop.end('SIGKILL');
});
afterAll(() => rm(folders, { recursive: true, force: true }));

test('a shop starts with its demo stores, stops on request, and starts again with all its data', async () => {
  await startFresh('again');
  expect(firstOutput).toMatch(
    /"stores":\["harbour","second"\],"event":"demo\.stores\.loaded"\}\n.*Colophon is ready: http:\/\/localhost:\d+\n/s,
  );
  const second = await start();
  expect(second.said.includes('demo.stores.loaded')).toBe(!isEmbedded);
  const visitor = await signUpCustomer(second.address);
  await visitor.takeFreeTitle();
  expect(await second.end('SIGTERM')).toBe(0);
  const third = await start();
  expect(await (await visitor.at(third.address)).library()).toHaveLength(1);
});

test('startup logs each stored property of a wrong type, and no others', async () => {
  await startFresh('typed');
  const { db, close } = await openDatabase(database);
  if (!isEmbedded) await loadDemoStores(db, join(import.meta.dirname, '../../../server/demo'));
  for (const [name, value] of [
    ['EnableTax', 'maybe'],
    ['PurchaseCountries', 'GB, IE'],
  ])
    await sql`update properties set value = ${value} where store_id = 'harbour' and name = ${name}`.execute(db);
  await close();
  const { said } = await start();
  const logged = said.split('\n').filter((line) => line.includes('store.property.invalid'));
  expect(logged.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ store: 'harbour', property: 'EnableTax', value: 'maybe', expected: 'true or false' }),
  ]);
});

testEmbedded('a second process on the same folder is refused, and the first one continues', async () => {
  await startFresh('shared');
  const first = await start();
  const second = await start();
  expect(await second.ended).toBe(1);
  expect(second.complained).toMatch(/^The data folder .* is in use by the process \d+\. .*DATA_DIR\.\n$/);
  expect((await fetch(`${first.address}/healthz`)).status).toBe(200);
});

test('a port in use is reported, and no process is left running', async () => {
  await startFresh('port');
  const other = createServer().listen(0, '0.0.0.0');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const shop = await start({ PORT: port });
  expect(await shop.ended).toBe(1);
  expect(shop.complained).toContain(`The port ${port} is in use.`);
  other.close();
  expect((await start()).address).not.toBe('');
});

test.each([
  ['PORT', 'eighty', 'PORT must be a whole number'],
  ['DATABASE_URL', 'mysql://here', 'DATABASE_URL must begin with postgres://'],
  ['DATABASE_URL', 'postgres://127.0.0.1:1/none', 'The database of DATABASE_URL cannot be reached.'],
  ['PAYMENT_MODE', 'live', 'PAYMENT_MODE=live needs PAYMENT_PROVIDER=stripe or razorpay'],
])('%s=%s is reported in a sentence', async (name, value, sentence) => {
  const shop = await start({ [name]: value });
  expect(await shop.ended).toBe(1);
  expect(shop.complained).toContain(sentence);
  expect(shop.complained).not.toContain('    at ');
});

test('with Stripe keys it starts no gateway of its own, sends the public ones to the page [S9.configuration-keys], and accepts webhooks that Stripe signed', async () => {
  await startFresh('stripe');
  const secret = 'whsec_ofTheTests';
  const keys = { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_live_ofTheTests', STRIPE_WEBHOOK_SECRET: secret };
  const refused = await start(keys);
  expect(await refused.ended).toBe(1);
  expect(refused.complained).toContain('STRIPE_SECRET_KEY is a live key: it needs PAYMENT_MODE=live.');
  const unreachable = await start({ ...keys, PAYMENT_MODE: 'live' });
  expect(await unreachable.ended).toBe(1);
  expect(unreachable.complained).toContain('Set PUBLIC_URL to where customers reach the shop');
  const PORT = String(await findFreePort());
  const shop = await start({
    ...keys,
    PORT,
    PUBLIC_URL: `http://localhost:${PORT}`,
    PAYMENT_MODE: 'live',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_ofTheTests',
    MAPS_KEY: 'of the maps',
    HELP_URL: 'https://help.example/books',
    APP_STORE_URLS: 'https://apps.apple.com/app/id1',
  });
  expect(await (await fetch(`${shop.address}/config.json`)).json()).toMatchObject({
    paymentLiveMode: true,
    paymentPublicKey: 'pk_live_ofTheTests',
    mapsKey: 'of the maps',
    helpUrl: 'https://help.example/books',
    appStoreUrls: [{ type: 'Apple', url: 'https://apps.apple.com/app/id1' }],
  });
  await expect(shop.gatewayPid()).rejects.toThrow('ENOENT');
  const payload = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object: { metadata: { reference: 'harbour/none' } } },
  });
  const signature = new Stripe('sk_test_1').webhooks.generateTestHeaderString({ payload, secret });
  const send = async (header: string): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': header };
    return (await fetch(`${shop.address}/webhooks/stripe`, { method: 'POST', body: payload, headers })).status;
  };
  expect([await send(signature), await send(`${signature}0`), await send('')]).toEqual([200, 400, 400]);
});

test('the gateway ends with its shop, even when the shop is killed', async () => {
  await startFresh('gateway');
  const shop = await start();
  const gateway = await shop.gatewayPid();
  expect(isAlive(gateway)).toBe(true);
  await shop.end('SIGKILL');
  await expect.poll(() => isAlive(gateway), { timeout: 30_000 }).toBe(false);
});

test('a shop whose media folder cannot be created exits with a message that says so', async () => {
  await startFresh('no-media');
  await writeFile(join(folders, 'a-file'), '');
  const shop = await start({ MEDIA_DIR: join(folders, 'a-file', 'media') });
  expect(await shop.ended).toBe(1);
  expect(shop.complained.trimEnd()).toMatch(
    /^MEDIA_DIR must be a folder that the shop can create and write, not ".*a-file\/media": ENOTDIR.*$/,
  );
});

test('the log has the number of sent e-mails', async () => {
  await startFresh('jobs');
  const shop = await start();
  const { email } = await signUpCustomer(shop.address);
  const query = new URLSearchParams({ shelfid: 'harbour', appid: 'web', email });
  expect((await fetch(`${shop.address}/api/user/forgotpassword?${query.toString()}`)).status).toBe(200);
  await expect.poll(() => shop.said, { timeout: 30_000 }).toMatch(/"job":"e-mail queue","sent":1/);
});
