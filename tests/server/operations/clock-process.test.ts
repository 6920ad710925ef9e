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

let parentFolder: string;
let folder: string;
let database: DatabaseAddress;
const runningShops: StartedShop[] = [];

const makeEnvironment = (): Record<string, string> => ({
  DATA_DIR: folder,
  ADMIN_TOKEN,
  ...(database.kind === 'server' ? { DATABASE_URL: database.url } : {}),
});
const startProcess = async (overrides: Record<string, string> = {}): Promise<StartedShop> => {
  const shop = await startShop({ ...makeEnvironment(), PORT: '0', ...overrides });
  runningShops.push(shop);
  return shop;
};
/** Runs the command as the operator does, beside the shop. */
const runCommand = async (line: string, overrides: Record<string, string> = {}) => {
  let [out, err] = ['', ''];
  const code = await runStoreCli(line.split(' '), {
    environment: { ...makeEnvironment(), ...overrides },
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
/** Polls until the shop, which reads its time every second, is ahead by these days. */
const expectDaysAhead = (shop: StartedShop, days: number) =>
  expect.poll(() => readDaysAhead(shop), { timeout: 15_000, interval: 100 }).toBe(days);

/** Prepares a shop that has never been started. */
const prepareShop = async (name: string): Promise<void> => {
  folder = join(parentFolder, name);
  if (isEmbedded) await cp(join(parentFolder, 'first'), folder, { recursive: true });
  database = isEmbedded ? { kind: 'folder', folder } : await newTestDatabase();
};

beforeAll(async () => {
  parentFolder = await mkdtemp(join(tmpdir(), 'colophon-clock-'));
  // An embedded database takes long to create: each test copies this one.
  if (isEmbedded) await (await openDatabase({ kind: 'folder', folder: join(parentFolder, 'first') })).close();
});
afterEach(async () => {
  for (const shop of runningShops.splice(0)) await shop.end('SIGKILL');
  setClockAhead(0);
});
afterAll(() => rm(parentFolder, { recursive: true, force: true }));

test('a stopped shop moves its clock at the next start, and keeps it', async () => {
  await prepareShop('stopped');
  expect((await runCommand('clock')).err).toBe('The clock of this shop has not been moved.\n');
  expect(await runCommand('clock --forward 31d')).toMatchObject({
    code: 0,
    err: 'Running shops move their clock there within seconds, a stopped shop when it is started.\n',
  });
  expect((await runCommand('clock --json')).out).toMatch(/"goesTo":"20\d\d-/);
  const shop = await startProcess();
  await expectDaysAhead(shop, 31);
  await expect.poll(() => shop.stdout).toMatch(/"shopTime":"20\d\d-[^"]+Z".*"event":"clock\.moved"/);
  await shop.end('SIGTERM');
  const restartedShop = await startProcess();
  expect(restartedShop.stdout).toMatch(/"event":"clock\.moved"/);
  expect(await readDaysAhead(restartedShop)).toBe(31);
});

test('a running shop moves its clock at once, and only forward', async () => {
  await prepareShop('running');
  const shop = await startProcess();
  const result = await runCommand(`clock --forward 2d --shop ${shop.address}`);
  expect(result).toMatchObject({ code: 0, err: expect.stringMatching(/^The clock of this shop is at 20/) as string });
  expect(await readDaysAhead(shop)).toBe(2);
  expect(await runCommand(`clock --to 2020-01-31 --shop ${shop.address}`)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/moves forward only/) as string,
  });
});

if (isEmbedded) console.info('skipped: only one process can use an embedded database');
test.skipIf(isEmbedded)('a move of the clock by one process or by a command reaches all processes of the database', async () => {
  await prepareShop('several');
  const shops = await Promise.all([startProcess(), startProcess({ DATA_DIR: `${folder}-2` })]);
  const [firstShop, secondShop] = shops;
  await runCommand(`clock --forward 3d --shop ${firstShop.address}`);
  expect(await readDaysAhead(firstShop)).toBe(3);
  await expectDaysAhead(secondShop, 3);
  await runCommand('clock --forward 4d');
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

test('a shop with a live payment provider neither moves its clock nor starts on a database with a moved clock', async () => {
  await prepareShop('live');
  const PORT = await findFreePort();
  const liveSettings = {
    PORT,
    PUBLIC_URL: `http://localhost:${PORT}`,
    PAYMENT_MODE: 'live',
    PAYMENT_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: 'sk_live_ofTheTests',
    STRIPE_WEBHOOK_SECRET: 'whsec_ofTheTests',
  };
  const shop = await startProcess(liveSettings);
  const refusal = { code: 1, err: expect.stringMatching(/^The clock of this shop cannot be moved/) as string };
  expect(await runCommand(`clock --forward 1d --shop ${shop.address}`)).toMatchObject(refusal);
  await shop.end('SIGTERM');
  expect(await runCommand('clock --forward 1d')).toMatchObject(refusal);

  await prepareShop('was-test');
  await runCommand('clock --forward 1d');
  const otherShop = await startProcess(liveSettings);
  expect(await otherShop.exitCode).toBe(1);
  expect(otherShop.stderr).toContain('PAYMENT_PROVIDER=stripe needs a database whose clock was never moved.');
  expect(otherShop.stderr).not.toContain('    at ');
});
