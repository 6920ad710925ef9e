import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { setClockAhead } from '../../../server/base/clock/time.ts';
import { type DatabaseAddress, openDatabase } from '../../../server/database/open.ts';
import { storeCommand } from '../../../tools/store/command.ts';
import { startShop, type StartedShop } from '../support/started-shop.ts';
import { testDatabase } from '../support/test-database.ts';

const DAY = 24 * 60 * 60_000;
const ADMIN_TOKEN = 'a token of the tests, long enough';
const embedded = inject('databaseServer') === '';

let folders: string;
let folder: string;
let database: DatabaseAddress;
const running: StartedShop[] = [];

const place = (): Record<string, string> => ({
  DATA_DIR: folder,
  ADMIN_TOKEN,
  ...(database.kind === 'server' ? { DATABASE_URL: database.url } : {}),
});
const start = async (more: Record<string, string> = {}): Promise<StartedShop> => {
  const shop = await startShop({ ...place(), PORT: '0', ...more });
  running.push(shop);
  return shop;
};
/** Runs the command as the operator does, beside the shop. */
const run = async (line: string, more: Record<string, string> = {}) => {
  let [out, err] = ['', ''];
  const code = await storeCommand(line.split(' '), {
    environment: { ...place(), ...more },
    root: tmpdir(),
    folder,
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out, err };
};
const daysAhead = async ({ address }: StartedShop): Promise<number> => {
  const { clockAhead = 0 } = (await (await fetch(`${address}/config.json`)).json()) as { clockAhead?: number };
  return clockAhead / DAY;
};
/** Asks until the shop has the time: it looks for it each second. */
const hasDays = (shop: StartedShop, days: number) =>
  expect.poll(() => daysAhead(shop), { timeout: 15_000, interval: 100 }).toBe(days);

/** A shop that has not been started yet. */
const anew = async (name: string): Promise<void> => {
  folder = join(folders, name);
  if (embedded) await cp(join(folders, 'first'), folder, { recursive: true });
  database = embedded ? { kind: 'folder', folder } : await testDatabase();
};

beforeAll(async () => {
  folders = await mkdtemp(join(tmpdir(), 'colophon-clock-'));
  // Creating the embedded database takes long.
  if (embedded) await (await openDatabase({ kind: 'folder', folder: join(folders, 'first') })).close();
});
afterEach(async () => {
  for (const shop of running.splice(0)) await shop.end('SIGKILL');
  setClockAhead(0);
});
afterAll(() => rm(folders, { recursive: true, force: true }));

test('a stopped shop moves its clock when it starts, says so, and keeps it', async () => {
  await anew('stopped');
  expect((await run('clock')).err).toBe('The clock of this shop has not been moved.\n');
  expect(await run('clock --forward 31d')).toMatchObject({
    code: 0,
    err: 'Running shops move their clock there within seconds, a stopped shop when it is started.\n',
  });
  expect((await run('clock --json')).out).toMatch(/"goesTo":"20\d\d-/);
  const shop = await start();
  await hasDays(shop, 31);
  await expect.poll(() => shop.complained).toMatch(/The clock of this shop was moved: its time is 20\d\d-\S+Z\./);
  await shop.end('SIGTERM');
  const again = await start();
  expect(again.complained).toMatch(/The clock of this shop was moved/);
  expect(await daysAhead(again)).toBe(31);
});

test('a shop that runs moves its clock at once', async () => {
  await anew('running');
  const shop = await start();
  const moved = await run(`clock --forward 2d --shop ${shop.address}`);
  expect(moved).toMatchObject({ code: 0, err: expect.stringMatching(/^The clock of this shop is at 20/) as string });
  expect(await daysAhead(shop)).toBe(2);
  expect(await run(`clock --to 2020-01-31 --shop ${shop.address}`)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/moves forward only/) as string,
  });
});

if (embedded) console.info('skipped: only one process has an embedded database');
test.skipIf(embedded)('all processes on one database have the time that one of them, or a command, has set', async () => {
  await anew('several');
  const shops = await Promise.all([start(), start({ DATA_DIR: `${folder}-2` })]);
  const [one, other] = shops;
  await run(`clock --forward 3d --shop ${one.address}`);
  expect(await daysAhead(one)).toBe(3);
  await hasDays(other, 3);
  await run('clock --forward 4d');
  await Promise.all(shops.map((shop) => hasDays(shop, 7)));
});

const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
};

test('a shop that takes real money refuses to move its clock, and to start on a database whose clock was moved', async () => {
  await anew('live');
  const PORT = await freePort();
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

  await anew('was-test');
  await run('clock --forward 1d');
  const other = await start(live);
  expect(await other.ended).toBe(1);
  expect(other.complained).toContain('PAYMENT_PROVIDER=stripe needs a database whose clock was never moved.');
  expect(other.complained).not.toContain('    at ');
});
