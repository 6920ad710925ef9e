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
import { freePort } from '../../../tools/shop/free-ports.ts';
import { isAlive, startShop, type StartedShop } from '../support/started-shop.ts';
import { emptyDatabase, testDatabase } from '../support/test-database.ts';
import { customerAt } from '../support/visitor.ts';

let folders: string;
let folder: string;
const running: StartedShop[] = [];

const embedded = inject('databaseServer') === '';
/** Where the current test's shops keep what they know. */
let database: DatabaseAddress;

const start = async (more: Record<string, string> = {}) => {
  const url: Record<string, string> = database.kind === 'server' ? { DATABASE_URL: database.url } : {};
  const shop = await startShop({ DATA_DIR: folder, PORT: '0', ...url, ...more });
  running.push(shop);
  return shop;
};

/** A folder as the first start leaves it: creating the embedded database takes long. A real server gets a new database. */
const anew = async (name: string) => {
  folder = join(folders, name);
  if (embedded) await cp(join(folders, 'first'), folder, { recursive: true });
  database = embedded ? { kind: 'folder', folder } : await testDatabase();
};
/** About the lock on the folder of the embedded database, which a real server does not need. */
const onFolder = test.skipIf(!embedded);
if (!embedded) console.info('skipped: a real database server has no folder to lock');
let firstWords = '';

beforeAll(async () => {
  folders = await mkdtemp(join(tmpdir(), 'colophon-process-'));
  folder = join(folders, 'first');
  database = embedded ? { kind: 'folder', folder } : await emptyDatabase();
  const first = await start();
  firstWords = first.said;
  await first.end('SIGTERM');
});
afterEach(async () => {
  for (const shop of running.splice(0)) await shop.end('SIGKILL');
});
afterAll(() => rm(folders, { recursive: true, force: true }));

test('a shop starts with its demo stores, stops on request, and starts again with all its data', async () => {
  await anew('again');
  expect(firstWords).toMatch(/Loaded the demo stores: harbour, second\.\n.*Colophon is ready: http:\/\/localhost:\d+\n/s);
  const second = await start();
  expect(second.said.includes('Loaded')).toBe(!embedded);
  const visitor = await customerAt(second.address);
  await visitor.takeFree();
  expect(await second.end('SIGTERM')).toBe(0);
  const third = await start();
  expect(await (await visitor.at(third.address)).library()).toHaveLength(1);
});

test('a start logs each kept property of another type, and no other', async () => {
  await anew('typed');
  const { db, close } = await openDatabase(database);
  if (!embedded) await loadDemoStores(db, join(import.meta.dirname, '../../../server/demo'));
  for (const [name, value] of [
    ['EnableTax', 'maybe'],
    ['PurchaseCountries', 'GB, IE'],
  ])
    await sql`update properties set value = ${value} where store_id = 'harbour' and name = ${name}`.execute(db);
  await close();
  const { said } = await start();
  const logged = said.split('\n').filter((line) => line.includes('invalid store property'));
  expect(logged.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ store: 'harbour', property: 'EnableTax', value: 'maybe', expected: 'true or false' }),
  ]);
});

onFolder('a second process on the same folder is refused, and the first goes on', async () => {
  await anew('shared');
  const first = await start();
  const second = await start();
  expect(await second.ended).toBe(1);
  expect(second.complained).toMatch(/^The data folder .* is in use by the process \d+\. .*DATA_DIR\.\n$/);
  expect((await fetch(`${first.address}/healthz`)).status).toBe(200);
});

test('a port that is in use is named, and nothing is left running', async () => {
  await anew('port');
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
])('%s=%s is explained in a sentence', async (name, value, sentence) => {
  const shop = await start({ [name]: value });
  expect(await shop.ended).toBe(1);
  expect(shop.complained).toContain(sentence);
  expect(shop.complained).not.toContain('    at ');
});

test('with keys of Stripe it starts no gateway of its own, tells the page the public ones [S9.configuration-keys], and hears what Stripe has signed', async () => {
  await anew('stripe');
  const secret = 'whsec_ofTheTests';
  const keys = { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_live_ofTheTests', STRIPE_WEBHOOK_SECRET: secret };
  const refused = await start(keys);
  expect(await refused.ended).toBe(1);
  expect(refused.complained).toContain('STRIPE_SECRET_KEY takes real money, which PAYMENT_MODE=live has to allow.');
  const unreachable = await start({ ...keys, PAYMENT_MODE: 'live' });
  expect(await unreachable.ended).toBe(1);
  expect(unreachable.complained).toContain('Set PUBLIC_URL to where customers reach the shop');
  const PORT = String(await freePort());
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

test('the gateway ends with its shop, however that ends', async () => {
  await anew('gateway');
  const shop = await start();
  const gateway = await shop.gatewayPid();
  expect(isAlive(gateway)).toBe(true);
  await shop.end('SIGKILL');
  await expect.poll(() => isAlive(gateway), { timeout: 30_000 }).toBe(false);
});

test('a shop whose media folder cannot be made ends with a sentence that says so', async () => {
  await anew('no-media');
  await writeFile(join(folders, 'a-file'), '');
  const shop = await start({ MEDIA_DIR: join(folders, 'a-file', 'media') });
  expect(await shop.ended).toBe(1);
  expect(shop.complained.trimEnd()).toMatch(
    /^MEDIA_DIR must be a folder that the shop can make and write, not ".*a-file\/media": ENOTDIR.*$/,
  );
});

test('the log says how many e-mails were sent', async () => {
  await anew('jobs');
  const shop = await start();
  const { email } = await customerAt(shop.address);
  const query = new URLSearchParams({ shelfid: 'harbour', appid: 'web', email });
  expect((await fetch(`${shop.address}/api/user/forgotpassword?${query.toString()}`)).status).toBe(200);
  await expect.poll(() => shop.said, { timeout: 30_000 }).toMatch(/"job":"e-mail queue","sent":1/);
});
