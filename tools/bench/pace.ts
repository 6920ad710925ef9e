import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { object, parse, string } from 'valibot';
import type { RunningShop } from '../shop/running-shop.ts';
import { median, type Row } from './rows.ts';
import { throughput } from './throughput.ts';

const callers = 50;
const milliseconds = 3000;
const rounds = 3;
/** Every browser takes compressed answers. */
const asBrowsersAsk = { 'accept-encoding': 'gzip, deflate, br, zstd' };
/** Of each round, calm and busy. */
const purchases = 5;
const card = { number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123', name: 'Ann Example' };

const sessionSchema = object({ transId: string(), url: string() });
const configSchema = object({ storeId: string(), appId: string() });

/** Starts a program that lies beside this one. @returns it, and the first thing that it says */
async function start<T>(name: string, ...args: string[]): Promise<{ said: T; child: ChildProcess }> {
  const child = fork(join(import.meta.dirname, name), args);
  const [said] = (await once(child, 'message')) as [T];
  return { said, child };
}

async function asked(url: string, options: RequestInit = {}): Promise<string> {
  const response = await fetch(url, options);
  const text = await response.text();
  if (!response.ok && response.status !== 303) throw new Error(`${url} answered ${response.status}: ${text}`);
  return text;
}

type Store = { api: string; store: string };

async function storeOf(shop: RunningShop): Promise<Store> {
  const { storeId } = parse(configSchema, JSON.parse(await asked(`${shop.url}/config.json`)));
  return { api: `${shop.url}/api`, store: `shelfid=${storeId}` };
}

/** A new customer's token; each buys once, since a title is bought once. */
async function signUp({ api, store }: Store): Promise<string> {
  const email = `${randomUUID()}@example.org`;
  const authorization = `Basic ${Buffer.from(`${email}:correct horse`).toString('base64')}`;
  const body = `<Signup><Email>${email}</Email><Name>Ann</Name><AgreeTerms>true</AgreeTerms></Signup>`;
  const headers = { authorization, 'content-type': 'text/xml' };
  const answer = await asked(`${api}/user/signup?${store}&appid=web`, { method: 'POST', headers, body });
  return /<IdToken>([^<]+)/.exec(answer)?.[1] ?? '';
}

/** Milliseconds from Buy to the receipt: the payment page is asked for, paid on, and the purchase confirmed. */
async function buy({ api, store }: Store, token: string, titleId: string): Promise<number> {
  const customer = `${store}&accesstoken=${token}`;
  const start = performance.now();
  const session = parse(sessionSchema, JSON.parse(await asked(`${api}/payment/session?${customer}&titleId=${titleId}`)));
  await asked(session.url, { method: 'POST', body: new URLSearchParams(card), redirect: 'manual' });
  await asked(`${api}/purchase/title/confirm?${customer}&transactonId=${session.transId}`);
  return performance.now() - start;
}

/** Buys the title for as many new customers; what each purchase took. */
async function buyAll(store: Store, titleId: string): Promise<number[]> {
  const tokens: string[] = [];
  for (let each = 0; each < purchases; each += 1) tokens.push(await signUp(store));
  const times: number[] = [];
  for (const token of tokens) times.push(await buy(store, token, titleId));
  return times;
}

/** A title of the store that has a price, by its id. */
async function pricedTitle({ api, store }: Store): Promise<string> {
  const list = await asked(`${api}/titles?${store}&pricefrom=1&limit=1`);
  return /<TitleId>([^<]+)/.exec(list)?.[1] ?? '';
}

/** How often as long a purchase takes while others hammer `url`, in turns with calm ones. */
async function heldUp(store: Store, titleId: string, url: string): Promise<number> {
  await buyAll(store, titleId);
  const calm: number[] = [];
  const busy: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    calm.push(...(await buyAll(store, titleId)));
    const others = await start('others.ts', url, String(callers));
    busy.push(...(await buyAll(store, titleId)));
    const gone = once(others.child, 'exit');
    others.child.kill();
    await gone;
  }
  return median(busy) / median(calm);
}

/**
 * The shop's pace beside a bare server's, in turns, so that a disturbance meets both alike; and what lists cost those who buy. The
 * rows are shares and multiples: on a machine of few processors, those who ask take from those who answer.
 */
export async function paceRows(shop: RunningShop): Promise<Row[]> {
  const bare = await start<string>('bare-server.ts');
  try {
    const store = await storeOf(shop);
    const titleId = await pricedTitle(store);
    const addresses: Record<string, string> = {
      'landing page': shop.url,
      'title page': `${shop.url}/id:${titleId}`,
      'title list': `${store.api}/titles?${store.store}`,
      'list of a search': `${store.api}/titles?${store.store}&search=the`,
    };
    const paces: Record<string, number[]> = {};
    await throughput(bare.said, callers, 1000);
    for (let round = 0; round < rounds; round += 1) {
      const { perSecond: most } = await throughput(bare.said, callers, milliseconds);
      for (const [name, url] of Object.entries(addresses)) {
        const { perSecond } = await throughput(url, callers, milliseconds, asBrowsersAsk);
        (paces[name] ??= []).push((100 * perSecond) / most);
      }
    }
    return [
      ...Object.entries(paces).map(([name, shares]) => ({
        name: `${name}: pace, in hundredths of a bare server's`,
        value: median(shares),
        unit: '%',
        least: 20,
      })),
      {
        name: `a purchase during ${callers} connections on lists: times as long`,
        value: await heldUp(store, titleId, addresses['title list'] ?? ''),
        unit: 'times',
        limit: 2,
      },
    ];
  } finally {
    bare.child.kill();
  }
}
