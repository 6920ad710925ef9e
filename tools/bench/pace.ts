import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { object, parse, string } from 'valibot';
import type { RunningShop } from '../shop/running-shop.ts';
import { median, type Row } from './rows.ts';
import { throughput } from './throughput.ts';

const CALLERS = 50;
const ROUND_MS = 3000;
const ROUNDS = 3;
/** Every browser accepts compressed responses. */
const browserHeaders = { 'accept-encoding': 'gzip, deflate, br, zstd' };
/** Per round, with and without load. */
const PURCHASES = 5;
const card = { number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123', name: 'Ann Example' };

const sessionSchema = object({ transId: string(), url: string() });
const configSchema = object({ storeId: string(), appId: string() });

/** Starts a program of this folder. @returns the process, and the first message it sends */
async function startProcess<T>(name: string, ...args: string[]): Promise<{ said: T; child: ChildProcess }> {
  const child = fork(join(import.meta.dirname, name), args);
  const [said] = (await once(child, 'message')) as [T];
  return { said, child };
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

/** The access token of a new customer. Each buys once, since a title can be bought once. */
async function signUp({ api, store }: StoreApi): Promise<string> {
  const email = `${randomUUID()}@example.org`;
  const authorization = `Basic ${Buffer.from(`${email}:correct horse`).toString('base64')}`;
  const body = `<Signup><Email>${email}</Email><Name>Ann</Name><AgreeTerms>true</AgreeTerms></Signup>`;
  const headers = { authorization, 'content-type': 'text/xml' };
  const answer = await fetchText(`${api}/user/signup?${store}&appid=web`, { method: 'POST', headers, body });
  return /<IdToken>([^<]+)/.exec(answer)?.[1] ?? '';
}

/**
 * Milliseconds from Buy to the receipt: request the payment page, pay there, confirm the purchase.
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
  for (let each = 0; each < PURCHASES; each += 1) tokens.push(await signUp(store));
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
 * The factor by which purchases slow down while others load `url`, measured in turns with and
 * without load.
 */
async function measureSlowdown(store: StoreApi, titleId: string, url: string): Promise<number> {
  await buyAll(store, titleId);
  const calm: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    calm.push(...(await buyAll(store, titleId)));
    const others = await startProcess('others.ts', url, String(CALLERS));
    busy.push(...(await buyAll(store, titleId)));
    const gone = once(others.child, 'exit');
    others.child.kill();
    await gone;
  }
  return median(busy) / median(calm);
}

/**
 * The shop's throughput beside a bare server's, in turns, so that a disturbance affects both; and
 * how load on lists slows down purchases. The rows are ratios: on a machine with few processors,
 * the load generators take time from the server.
 */
export async function paceRows(shop: RunningShop): Promise<Row[]> {
  const bare = await startProcess<string>('bare-server.ts');
  try {
    const store = await connectStore(shop);
    const titleId = await findPricedTitle(store);
    const addresses: Record<string, string> = {
      'landing page': shop.url,
      'title page': `${shop.url}/id:${titleId}`,
      'title list': `${store.api}/titles?${store.store}`,
      'list of a search': `${store.api}/titles?${store.store}&search=the`,
    };
    const paces: Record<string, number[]> = {};
    await throughput(bare.said, CALLERS, 1000);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { perSecond: most } = await throughput(bare.said, CALLERS, ROUND_MS);
      for (const [name, url] of Object.entries(addresses)) {
        const { perSecond } = await throughput(url, CALLERS, ROUND_MS, browserHeaders);
        (paces[name] ??= []).push((100 * perSecond) / most);
      }
    }
    return [
      ...Object.entries(paces).map(([name, shares]) => ({
        name: `${name}: throughput, in % of a bare server's`,
        value: median(shares),
        unit: '%',
        least: 20,
      })),
      {
        name: `purchase under ${CALLERS} connections on lists: slowdown`,
        value: await measureSlowdown(store, titleId, addresses['title list'] ?? ''),
        unit: 'times',
        limit: 2,
      },
    ];
  } finally {
    bare.child.kill();
  }
}
