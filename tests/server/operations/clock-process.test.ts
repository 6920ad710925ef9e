import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { setClockAhead } from '../../../server/base/clock/time.ts';
import { type DatabaseAddress, openDatabase } from '../../../server/database/open.ts';
import { runStoreCli } from '../../../tools/store/command.ts';
import { startShop, type StartedShop } from '../support/started-shop.ts';
import { newTestDatabase } from '../support/test-database.ts';

const DAY_MS = 24 * 60 * 60_000;
const ADMIN_TOKEN = 'a token of the tests, long enough';
const isEmbedded = inject('databaseServer') === '';

let folders: string;
let folder: string;
let database: DatabaseAddress;
const runningShops: StartedShop[] = [];

const shopEnvironment = (): Record<string, string> => ({
  DATA_DIR: folder,
  ADMIN_TOKEN,
  ...(database.kind === 'server' ? { DATABASE_URL: database.url } : {}),
});
const start = async (more: Record<string, string> = {}): Promise<StartedShop> => {
  const shop = await startShop({ ...shopEnvironment(), PORT: '0', ...more });
  runningShops.push(shop);
  return shop;
};
/** Runs the command as the operator does, beside the shop. */
const run = async (line: string, more: Record<string, string> = {}) => {
  let [out, err] = ['', ''];
  const code = await runStoreCli(line.split(' '), {
    environment: { ...shopEnvironment(), ...more },
    root: tmpdir(),
    folder,
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out, err };
};
const readDaysAhead = async ({ address }: StartedShop): Promise<number> => {
  const { clockAhead = 0 } = (await (await fetch(`${address}/config.json`)).json()) as { clockAhead?: number };
  return clockAhead / DAY_MS;
};
/** Polls until the shop has the new time, which it reads every second. */
const expectDaysAhead = (shop: StartedShop, days: number) =>
  expect.poll(() => readDaysAhead(shop), { timeout: 15_000, interval: 100 }).toBe(days);

/** Prepares a shop that has never been started. */
const startFresh = async (name: string): Promise<void> => {
  folder = join(folders, name);
  if (isEmbedded) await cp(join(folders, 'first'), folder, { recursive: true });
  database = isEmbedded ? { kind: 'folder', folder } : await newTestDatabase();
};

beforeAll(async () => {
  folders = await mkdtemp(join(tmpdir(), 'colophon-clock-'));
  // Creating the embedded database takes long.
  if (isEmbedded) await (await openDatabase({ kind: 'folder', folder: join(folders, 'first') })).close();
});
afterEach(async () => {
  for (const shop of runningShops.splice(0)) await shop.end('SIGKILL');
  setClockAhead(0);
});
afterAll(() => rm(folders, { recursive: true, force: true }));

test('a stopped shop moves its clock at the next start, reports and keeps it', async () => {
  await startFresh('stopped');
  expect((await run('clock')).err).toBe('The clock of this shop has not been moved.\n');
  expect(await run('clock --forward 31d')).toMatchObject({
    code: 0,
    err: 'Running shops move their clock there within seconds, a stopped shop when it is started.\n',
  });
  expect((await run('clock --json')).out).toMatch(/"goesTo":"20\d\d-/);
  const shop = await start();
  await expectDaysAhead(shop, 31);
  await expect.poll(() => shop.said).toMatch(/"shopTime":"20\d\d-[^"]+Z".*"event":"clock\.moved"/);
  await shop.end('SIGTERM');
  const again = await start();
  expect(again.said).toMatch(/"event":"clock\.moved"/);
  expect(await readDaysAhead(again)).toBe(31);
});

test('a running shop moves its clock at once', async () => {
  await startFresh('running');
  const shop = await start();
  const moved = await run(`clock --forward 2d --shop ${shop.address}`);
  expect(moved).toMatchObject({ code: 0, err: expect.stringMatching(/^The clock of this shop is at 20/) as string });
  expect(await readDaysAhead(shop)).toBe(2);
  expect(await run(`clock --to 2020-01-31 --shop ${shop.address}`)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/moves forward only/) as string,
  });
});

if (isEmbedded) console.info('skipped: only one process can use an embedded database');
test.skipIf(isEmbedded)('all processes on one database have the time that one of them, or a command, has set', async () => {
  await startFresh('several');
  const shops = await Promise.all([start(), start({ DATA_DIR: `${folder}-2` })]);
  const [one, other] = shops;
  await run(`clock --forward 3d --shop ${one.address}`);
  expect(await readDaysAhead(one)).toBe(3);
  await expectDaysAhead(other, 3);
  await run('clock --forward 4d');
  await Promise.all(shops.map((shop) => expectDaysAhead(shop, 7)));
});

const findFreePort = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
};

test('a shop with a live payment provider refuses to move its clock, and to start on a database with a moved clock', async () => {
  await startFresh('live');
  const PORT = await findFreePort();
  const live = {
    PORT,
    PUBLIC_URL: `http://localhost:${PORT}`,
    PAYMENT_MODE: 'live',
    PAYMENT_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: 'sk_live_ofTheTests',
    STRIPE_WEBHOOK_SECRET: 'whsec_ofTheTests',
  };
  const shop = await start(live);
  const refused = { code: 1, err: expect.stringMatching(/^The clock of this shop cannot be moved/) as string };
  expect(await run(`clock --forward 1d --shop ${shop.address}`)).toMatchObject(refused);
  await shop.end('SIGTERM');
  expect(await run('clock --forward 1d')).toMatchObject(refused);

  await startFresh('was-test');
  await run('clock --forward 1d');
  const other = await start(live);
  expect(await other.ended).toBe(1);
  expect(other.complained).toContain('PAYMENT_PROVIDER=stripe needs a database whose clock was never moved.');
  expect(other.complained).not.toContain('    at ');
});
