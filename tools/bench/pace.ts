import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { object, parse, string } from 'valibot';
import type { RunningShop } from '../shop/running-shop.ts';
import { computeMedian, type Row } from './rows.ts';
import { measureThroughput } from './throughput.ts';

const CALLERS = 50;
const ROUND_MS = 3000;
const ROUNDS = 3;
/** Every browser accepts compressed responses. */
const browserHeaders = { 'accept-encoding': 'gzip, deflate, br, zstd' };
/** Purchases per round, with load and again without. */
const PURCHASES = 5;
const card = { number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123', name: 'Ann Example' };

const sessionSchema = object({ transId: string(), url: string() });
const configSchema = object({ storeId: string(), appId: string() });

/** Starts a program of this folder. @returns the process, and the first message it sends */
async function startProcess<T>(name: string, ...args: string[]): Promise<{ message: T; child: ChildProcess }> {
  const child = fork(join(import.meta.dirname, name), args);
  const [message] = (await once(child, 'message')) as [T];
  return { message, child };
}

async function fetchText(url: string, options: RequestInit = {}): Promise<string> {
  const response = await fetch(url, options);
  const text = await response.text();
  if (!response.ok && response.status !== 303) throw new Error(`${url} answered ${response.status}: ${text}`);
  return text;
}

type StoreApi = { api: string; store: string };

async function connectStore(shop: RunningShop): Promise<StoreApi> {
  const { storeId } = parse(configSchema, JSON.parse(await fetchText(`${shop.url}/config.json`)));
  return { api: `${shop.url}/api`, store: `shelfid=${storeId}` };
}

/**
 * Signs up a customer and returns their access token. Each customer buys once, since a customer can
 * buy a title once.
 */
async function signUpCustomer({ api, store }: StoreApi): Promise<string> {
  const email = `${randomUUID()}@example.org`;
  const authorization = `Basic ${Buffer.from(`${email}:correct horse`).toString('base64')}`;
  const body = `<Signup><Email>${email}</Email><Name>Ann</Name><AgreeTerms>true</AgreeTerms></Signup>`;
  const headers = { authorization, 'content-type': 'text/xml' };
  const responseText = await fetchText(`${api}/user/signup?${store}&appid=web`, { method: 'POST', headers, body });
  return /<IdToken>([^<]+)/.exec(responseText)?.[1] ?? '';
}

/**
 * Buys a title: requests the payment page, pays there, and confirms the purchase.
 * @returns the milliseconds from Buy to the receipt
 */
async function buy({ api, store }: StoreApi, token: string, titleId: string): Promise<number> {
  const customer = `${store}&accesstoken=${token}`;
  const start = performance.now();
  const session = parse(sessionSchema, JSON.parse(await fetchText(`${api}/payment/session?${customer}&titleId=${titleId}`)));
  await fetchText(session.url, { method: 'POST', body: new URLSearchParams(card), redirect: 'manual' });
  await fetchText(`${api}/purchase/title/confirm?${customer}&transactonId=${session.transId}`);
  return performance.now() - start;
}

/** Buys the title for several new customers. @returns the milliseconds of each purchase */
async function buyAll(store: StoreApi, titleId: string): Promise<number[]> {
  const tokens: string[] = [];
  for (let each = 0; each < PURCHASES; each += 1) tokens.push(await signUpCustomer(store));
  const times: number[] = [];
  for (const token of tokens) times.push(await buy(store, token, titleId));
  return times;
}

/** The id of a title of the store that has a price. */
async function findPricedTitle({ api, store }: StoreApi): Promise<string> {
  const list = await fetchText(`${api}/titles?${store}&pricefrom=1&limit=1`);
  return /<TitleId>([^<]+)/.exec(list)?.[1] ?? '';
}

/**
 * Measures the factor by which purchases slow down while other clients load `url`, in turns with
 * and without load.
 */
async function measureSlowdown(store: StoreApi, titleId: string, url: string): Promise<number> {
  await buyAll(store, titleId);
  const unloadedMs: number[] = [];
  const loadedMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    unloadedMs.push(...(await buyAll(store, titleId)));
    const load = await startProcess('background-load.ts', url, String(CALLERS));
    loadedMs.push(...(await buyAll(store, titleId)));
    const exit = once(load.child, 'exit');
    load.child.kill();
    await exit;
  }
  return computeMedian(loadedMs) / computeMedian(unloadedMs);
}

/**
 * Measures the shop's throughput and a bare server's, in turns, so that a disturbance affects both;
 * and how load on lists slows down purchases. The rows are ratios: on a computer with few
 * processors, the load generators take time from the server.
 */
export async function measurePace(shop: RunningShop): Promise<Row[]> {
  const bareServer = await startProcess<string>('bare-server.ts');
  try {
    const store = await connectStore(shop);
    const titleId = await findPricedTitle(store);
    const urls: Record<string, string> = {
      'landing page': shop.url,
      'title page': `${shop.url}/id:${titleId}`,
      'title list': `${store.api}/titles?${store.store}`,
      'list of a search': `${store.api}/titles?${store.store}&search=the`,
    };
    const shares: Record<string, number[]> = {};
    await measureThroughput(bareServer.message, CALLERS, 1000);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { perSecond: barePerSecond } = await measureThroughput(bareServer.message, CALLERS, ROUND_MS);
      for (const [name, url] of Object.entries(urls)) {
        const { perSecond } = await measureThroughput(url, CALLERS, ROUND_MS, browserHeaders);
        (shares[name] ??= []).push((100 * perSecond) / barePerSecond);
      }
    }
    return [
      ...Object.entries(shares).map(([name, urlShares]): Row => ({
        name: `${name}: throughput, in % of a bare server's`,
        value: computeMedian(urlShares),
        unit: '%',
        min: 20,
      })),
      {
        name: `purchase under ${CALLERS} connections on lists: slowdown`,
        value: await measureSlowdown(store, titleId, urls['title list'] ?? ''),
        unit: 'times',
        limit: 2,
      },
    ];
  } finally {
    bareServer.child.kill();
  }
}
