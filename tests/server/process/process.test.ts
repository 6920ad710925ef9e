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

let parentFolder: string;
let folder: string;
const runningShops: StartedShop[] = [];

const isEmbedded = inject('databaseServer') === '';
/** The database of the current test's shops. */
let database: DatabaseAddress;

const startProcess = async (overrides: Record<string, string> = {}) => {
  const databaseSettings: Record<string, string> = database.kind === 'server' ? { DATABASE_URL: database.url } : {};
  const shop = await startShop({ DATA_DIR: folder, PORT: '0', ...databaseSettings, ...overrides });
  runningShops.push(shop);
  return shop;
};

/**
 * Copies the folder that the first start left, since creating the embedded database is slow.
 * A database server gets a new database.
 */
const prepareFolder = async (name: string) => {
  folder = join(parentFolder, name);
  if (isEmbedded) await cp(join(parentFolder, 'first'), folder, { recursive: true });
  database = isEmbedded ? { kind: 'folder', folder } : await newTestDatabase();
};
/** Tests the lock on the embedded database's folder, which a database server does not need. */
const testEmbedded = test.skipIf(!isEmbedded);
if (!isEmbedded) console.info('skipped: a real database server has no folder to lock');
let firstOutput = '';

beforeAll(async () => {
  parentFolder = await mkdtemp(join(tmpdir(), 'colophon-process-'));
  folder = join(parentFolder, 'first');
  database = isEmbedded ? { kind: 'folder', folder } : await newEmptyDatabase();
  const firstShop = await startProcess();
  firstOutput = firstShop.stdout;
  await firstShop.end('SIGTERM');
});
afterEach(async () => {
  for (const shop of runningShops.splice(0)) await shop.end('SIGKILL');
});
afterAll(() => rm(parentFolder, { recursive: true, force: true }));

test('a shop starts with its demo stores, stops on request, and starts again with all its data', async () => {
  await prepareFolder('again');
  expect(firstOutput).toMatch(
    /"stores":\["harbour","second"\],"event":"demo\.stores\.loaded"\}\n.*Colophon is ready: http:\/\/localhost:\d+\n/s,
  );
  const secondShop = await startProcess();
  expect(secondShop.stdout.includes('demo.stores.loaded')).toBe(!isEmbedded);
  const visitor = await signUpCustomer(secondShop.address);
  await visitor.takeFreeTitle();
  expect(await secondShop.end('SIGTERM')).toBe(0);
  const thirdShop = await startProcess();
  expect(await (await visitor.signInAt(thirdShop.address)).fetchLibrary()).toHaveLength(1);
});

test('startup logs each stored property of a wrong type, and no others', async () => {
  await prepareFolder('typed');
  const { db, close } = await openDatabase(database);
  if (!isEmbedded) await loadDemoStores(db, join(import.meta.dirname, '../../../server/demo'));
  for (const [name, value] of [
    ['EnableTax', 'maybe'],
    ['PurchaseCountries', 'GB, IE'],
  ])
    await sql`update properties set value = ${value} where store_id = 'harbour' and name = ${name}`.execute(db);
  await close();
  const { stdout } = await startProcess();
  const loggedLines = stdout.split('\n').filter((line) => line.includes('store.property.invalid'));
  expect(loggedLines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ store: 'harbour', property: 'EnableTax', value: 'maybe', expected: 'true or false' }),
  ]);
});

testEmbedded('a second process on the same folder is refused, and the first one continues', async () => {
  await prepareFolder('shared');
  const firstShop = await startProcess();
  const secondShop = await startProcess();
  expect(await secondShop.exitCode).toBe(1);
  expect(secondShop.stderr).toMatch(/^The data folder .* is in use by the process \d+\. .*DATA_DIR\.\n$/);
  expect((await fetch(`${firstShop.address}/healthz`)).status).toBe(200);
});

test('a port in use is reported, and the shop’s processes exit', async () => {
  await prepareFolder('port');
  const otherServer = createServer().listen(0, '0.0.0.0');
  await once(otherServer, 'listening');
  const address = otherServer.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const shop = await startProcess({ PORT: port });
  expect(await shop.exitCode).toBe(1);
  expect(shop.stderr).toContain(`The port ${port} is in use.`);
  otherServer.close();
  expect((await startProcess()).address).not.toBe('');
});

test.each([
  ['PORT', 'eighty', 'PORT must be a whole number'],
  ['DATABASE_URL', 'mysql://here', 'DATABASE_URL must begin with postgres://'],
  ['DATABASE_URL', 'postgres://127.0.0.1:1/none', 'The database of DATABASE_URL cannot be reached.'],
  ['PAYMENT_MODE', 'live', 'PAYMENT_MODE=live needs PAYMENT_PROVIDER=stripe or razorpay'],
])('%s=%s is reported in one sentence, without a stack trace', async (name, value, message) => {
  const shop = await startProcess({ [name]: value });
  expect(await shop.exitCode).toBe(1);
  expect(shop.stderr).toContain(message);
  expect(shop.stderr).not.toContain('    at ');
});

test('a shop with Stripe keys starts no gateway, sends the public keys to the page [S9.configuration-keys], and accepts webhooks that Stripe signed', async () => {
  await prepareFolder('stripe');
  const secret = 'whsec_ofTheTests';
  const keys = { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_live_ofTheTests', STRIPE_WEBHOOK_SECRET: secret };
  const refusedShop = await startProcess(keys);
  expect(await refusedShop.exitCode).toBe(1);
  expect(refusedShop.stderr).toContain('STRIPE_SECRET_KEY is a live key: it needs PAYMENT_MODE=live.');
  const shopWithoutUrl = await startProcess({ ...keys, PAYMENT_MODE: 'live' });
  expect(await shopWithoutUrl.exitCode).toBe(1);
  expect(shopWithoutUrl.stderr).toContain('Set PUBLIC_URL to where customers reach the shop');
  const PORT = String(await findFreePort());
  const shop = await startProcess({
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
  const sendWebhook = async (header: string): Promise<number> => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': header };
    return (await fetch(`${shop.address}/webhooks/stripe`, { method: 'POST', body: payload, headers })).status;
  };
  expect([await sendWebhook(signature), await sendWebhook(`${signature}0`), await sendWebhook('')]).toEqual([200, 400, 400]);
});

test('the gateway ends with its shop, even when the shop is killed', async () => {
  await prepareFolder('gateway');
  const shop = await startProcess();
  const gatewayPid = await shop.gatewayPid();
  expect(isAlive(gatewayPid)).toBe(true);
  await shop.end('SIGKILL');
  await expect.poll(() => isAlive(gatewayPid), { timeout: 30_000 }).toBe(false);
});

test('a shop whose media folder cannot be created exits with a message', async () => {
  await prepareFolder('no-media');
  await writeFile(join(parentFolder, 'a-file'), '');
  const shop = await startProcess({ MEDIA_DIR: join(parentFolder, 'a-file', 'media') });
  expect(await shop.exitCode).toBe(1);
  expect(shop.stderr.trimEnd()).toMatch(
    /^MEDIA_DIR must be a folder that the shop can create and write, not ".*a-file\/media": ENOTDIR.*$/,
  );
});

test('the log has the number of sent e-mails', async () => {
  await prepareFolder('jobs');
  const shop = await startProcess();
  const { email } = await signUpCustomer(shop.address);
  const query = new URLSearchParams({ shelfid: 'harbour', appid: 'web', email });
  expect((await fetch(`${shop.address}/api/user/forgotpassword?${query.toString()}`)).status).toBe(200);
  await expect.poll(() => shop.stdout, { timeout: 30_000 }).toMatch(/"job":"e-mail queue","sent":1/);
});
