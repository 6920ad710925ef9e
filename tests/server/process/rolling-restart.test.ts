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

const start = async (place: number): Promise<StartedShop> => {
  const shop = await startShop({
    DATA_DIR: join(folder, `shop-${place}`),
    PORT: '0',
    DATABASE_URL: url,
    PAYMENT_GATEWAY_URL: gateway.origin,
    PAYMENT_GATEWAY_SECRET: GATEWAY_SECRET,
    SIGN_UPS_PER_HOUR: '100000',
    TRUST_PROXY: '127.0.0.1',
    DRAIN_SECONDS,
  });
  if (shop.address === '') throw new Error(shop.complained);
  return shop;
};

/**
 * The log of a shop without the startup advice about PUBLIC_URL: the test sets no proxy address.
 */
const readErrorLog = ({ complained }: StartedShop) =>
  complained.split('\n').filter((line) => line !== '' && !line.includes('Set PUBLIC_URL'));

/** As load balancers do: a shop whose `/readyz` is not 200 gets no calls. */
const pollReadiness = async () => {
  for (const [place, { address }] of shops.entries()) {
    const status = await fetch(`${address}/readyz`).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) readyShops.add(place);
    else readyShops.delete(place);
  }
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-rolling-'));
  const database = await newEmptyDatabase();
  if (database.kind !== 'server') throw new Error('Several shops need a database server.');
  url = database.url;
  gateway = await startGatewayProcess({ PORT: '0', GATEWAY_FOLDER: join(folder, 'gateway'), GATEWAY_SECRET });
  shops = await Promise.all([start(0), start(1)]);
  proxy = await startRoundRobin(() => shops.filter((_, place) => readyShops.has(place)).map(({ address }) => address));
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
let accounts = 0;
const newEmail = () => `rolling-${(accounts += 1)}@example.org`;

test('two shops behind a proxy that are restarted in turn lose no call', async () => {
  const outcomes: (number | string)[] = [];
  let isRestarted = false;
  const call = (at: number) =>
    at % 4 === 0
      ? signUp(proxy.address, newEmail())
      : fetch(`${proxy.address}/api/titles?shelfid=${STORE}&limit=${1 + (at % 50)}`);
  const callers = Array.from({ length: CALLER_COUNT }, async () => {
    while (!isRestarted || outcomes.length < CALL_COUNT)
      outcomes.push(
        await call(outcomes.length).then(
          async (answer) => answer.text().then(() => answer.status),
          (error: unknown) => String(error),
        ),
      );
  });
  for (const place of [0, 1]) {
    const stopped = shops[place] as StartedShop;
    expect([await stopped.end('SIGTERM'), readErrorLog(stopped)]).toEqual([0, []]);
    shops[place] = await start(place);
    await expect.poll(() => readyShops.has(place), { timeout: 30_000 }).toBe(true);
  }
  isRestarted = true;
  await Promise.all(callers);
  console.info(`${outcomes.length} calls`);
  expect(outcomes.filter((outcome) => outcome !== 200)).toEqual([]);
}, 240_000);

test('requests that are running when a shop stops are answered, on connections that then close', async () => {
  const [shop] = shops;
  await fetch(`${shop.address}/healthz`);
  const running = Array.from({ length: 12 }, () => signUp(shop.address, newEmail()));
  const ended = shop.end('SIGTERM');
  const late: string[] = [];
  await expect
    .poll(async () => {
      const answer = await fetch(`${shop.address}/readyz`);
      late.push(answer.headers.get('connection') ?? '');
      return [answer.status, ((await answer.json()) as { status: string }).status];
    })
    .toEqual([503, 'stopping']);
  expect(late.at(-1)).toBe('close');
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
  expect([await ended, readErrorLog(shop)]).toEqual([0, []]);
});
