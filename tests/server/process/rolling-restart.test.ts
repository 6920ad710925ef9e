import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { basicAuth, PASSWORD, signUpXml } from '../support/customers.ts';
import { startRoundRobin } from '../support/round-robin.ts';
import { type StartedGateway, startGatewayProcess } from '../support/started-gateway.ts';
import { startShop, type StartedShop } from '../support/started-shop.ts';
import { STORE } from '../support/retrying-customer.ts';
import { newEmptyDatabase } from '../support/test-database.ts';

const GATEWAY_SECRET = 'what shops and gateway share';
const CALL_COUNT = 2000;
const CALLER_COUNT = 8;
/**
 * Milliseconds between two `/readyz` probes of the proxy; a stopping shop answers for two more
 * seconds.
 */
const POLL_INTERVAL_MS = 200;
const DRAIN_SECONDS = '2';

let folder: string;
let gateway: StartedGateway;
let shops: [StartedShop, StartedShop];
const readyShops = new Set([0, 1]);
let proxy: Awaited<ReturnType<typeof startRoundRobin>>;
let url: string;
let pollTimer: NodeJS.Timeout;

const startShopProcess = async (index: number): Promise<StartedShop> => {
  const shop = await startShop({
    DATA_DIR: join(folder, `shop-${index}`),
    PORT: '0',
    DATABASE_URL: url,
    PAYMENT_GATEWAY_URL: gateway.origin,
    PAYMENT_GATEWAY_SECRET: GATEWAY_SECRET,
    SIGN_UPS_PER_HOUR: '100000',
    TRUST_PROXY: '127.0.0.1',
    DRAIN_SECONDS,
  });
  if (shop.address === '') throw new Error(`The shop ${index} did not become ready: ${shop.stderr}`);
  return shop;
};

/** @returns a shop's error log without the advice to set PUBLIC_URL, which is not set here */
const readErrorLog = ({ stderr }: StartedShop) =>
  stderr.split('\n').filter((line) => line !== '' && !line.includes('Set PUBLIC_URL'));

/** Probes the shops as load balancers do: a shop whose `/readyz` is not 200 gets no calls. */
const pollReadiness = async () => {
  for (const [index, { address }] of shops.entries()) {
    const status = await fetch(`${address}/readyz`).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) readyShops.add(index);
    else readyShops.delete(index);
  }
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-rolling-'));
  const database = await newEmptyDatabase();
  if (database.kind !== 'server') throw new Error('Several shops need a database server.');
  url = database.url;
  gateway = await startGatewayProcess({ PORT: '0', GATEWAY_FOLDER: join(folder, 'gateway'), GATEWAY_SECRET });
  shops = await Promise.all([startShopProcess(0), startShopProcess(1)]);
  proxy = await startRoundRobin(() => shops.filter((_, index) => readyShops.has(index)).map(({ address }) => address));
  pollTimer = setInterval(() => void pollReadiness(), POLL_INTERVAL_MS);
});
afterAll(async () => {
  clearInterval(pollTimer);
  await proxy.close();
  await Promise.all(shops.map((shop) => shop.end('SIGKILL')));
  await gateway.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const signUp = (address: string, email: string) =>
  fetch(`${address}/api/user/signup?shelfid=${STORE}&appid=web`, {
    method: 'POST',
    headers: { ...basicAuth(email, PASSWORD), 'content-type': 'text/xml' },
    body: signUpXml(email),
  });
let accountCount = 0;
const newEmail = () => `rolling-${(accountCount += 1)}@example.org`;

test('two shops behind a proxy that are restarted in turn lose no call', async () => {
  const outcomes: (number | string)[] = [];
  let isRestarted = false;
  const call = (index: number) =>
    index % 4 === 0
      ? signUp(proxy.address, newEmail())
      : fetch(`${proxy.address}/api/titles?shelfid=${STORE}&limit=${1 + (index % 50)}`);
  const callers = Array.from({ length: CALLER_COUNT }, async () => {
    while (!isRestarted || outcomes.length < CALL_COUNT)
      outcomes.push(
        await call(outcomes.length).then(
          async (response) => response.text().then(() => response.status),
          (error: unknown) => String(error),
        ),
      );
  });
  for (const index of [0, 1]) {
    const stoppedShop = shops[index] as StartedShop;
    expect([await stoppedShop.end('SIGTERM'), readErrorLog(stoppedShop)]).toEqual([0, []]);
    shops[index] = await startShopProcess(index);
    await expect.poll(() => readyShops.has(index), { timeout: 30_000 }).toBe(true);
  }
  isRestarted = true;
  await Promise.all(callers);
  console.info(`${outcomes.length} calls`);
  expect(outcomes.filter((outcome) => outcome !== 200)).toEqual([]);
}, 240_000);

test('requests that are running when a shop stops are answered, on connections that then close', async () => {
  const [shop] = shops;
  await fetch(`${shop.address}/healthz`);
  const runningCalls = Array.from({ length: 12 }, () => signUp(shop.address, newEmail()));
  const exitPromise = shop.end('SIGTERM');
  const connectionHeaders: string[] = [];
  await expect
    .poll(async () => {
      const response = await fetch(`${shop.address}/readyz`);
      connectionHeaders.push(response.headers.get('connection') ?? '');
      return [response.status, ((await response.json()) as { status: string }).status];
    })
    .toEqual([503, 'stopping']);
  expect(connectionHeaders.at(-1)).toBe('close');
  expect((await Promise.all(runningCalls)).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
  expect([await exitPromise, readErrorLog(shop)]).toEqual([0, []]);
});
