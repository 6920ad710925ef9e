import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { backgrounds, barThemes } from '../../machines/model/store/appearance.ts';
import { startShop, type RunningShop } from '../shop/running-shop.ts';
import { adminToken, waitForWarmUp } from './warm-up.ts';
import { median, type Row } from './rows.ts';
import { throughput } from './throughput.ts';

/** A phone on a slow network: latency in ms, bandwidth in bits per second, CPU slowdown factor. */
const slowPhone = { latency: 150, bits: 1_600_000, processor: 4, width: 390, height: 844 };

const paths = ['/', '/all', '/id:1001'];
const LOADS = 5;
const ROUNDS = 9;
const CALLERS = 16;
const ADDRESSES = 2_000;

/**
 * Milliseconds from the start of the navigation. `live`: React has hydrated a link of the screen.
 * `whole`: it has hydrated the footer below it too, so nothing is left to hydrate.
 */
type Times = { first: number; largest: number; live: number; whole: number };

// Runs in the page before its own scripts.
function observe(): void {
  const times: Times = { first: 0, largest: 0, live: 0, whole: 0 };
  Object.assign(globalThis, { colophonTimes: times });
  const on = (type: string, note: (entry: PerformanceEntry) => void): void => {
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  };
  on('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') times.first = entry.startTime;
  });
  on('largest-contentful-paint', (entry) => {
    times.largest = entry.startTime;
  });
  const isReacts = (link: string): boolean =>
    Object.keys(document.querySelector(link) ?? {}).some((key) => key.startsWith('__react'));
  const look = (): void => {
    if (isReacts('main [data-flow] a')) times.live ||= performance.now();
    if (times.live > 0 && isReacts('footer a')) {
      times.whole = performance.now();
      console.debug('whole');
    }
    // Not by animation frames: a page in which nothing changes draws none, and requesting them
    // would slow down the server-rendered one.
    else setTimeout(look, 10);
  };
  look();
}

const compressBrotli = promisify(brotliCompress);

/**
 * Serves the shop's pages without any script, as static HTML of the same screen, so that they use
 * the same network as the shop's own.
 */
async function servePrerendered(shop: string): Promise<{ url: string; close: () => void }> {
  const kept = new Map<string, Promise<Buffer>>();
  const server = createServer((request, response) => {
    const answered = async () => {
      const { accept = '' } = request.headers;
      const answer = await fetch(shop + (request.url ?? ''), { headers: { accept } });
      const type = answer.headers.get('content-type') ?? '';
      const body = Buffer.from(await answer.arrayBuffer());
      const headers = { 'content-type': type, 'cache-control': answer.headers.get('cache-control') ?? '' };
      if (!type.startsWith('text/html')) return response.writeHead(answer.status, headers).end(body);
      const ready = body.toString().replaceAll(/<script\b.*?<\/script>|<link rel="modulepreload"[^>]*>/gs, '');
      // Cached after compression, as in the shop.
      const light = kept.get(ready) ?? compressBrotli(ready);
      kept.set(ready, light);
      return response.writeHead(answer.status, { ...headers, 'content-encoding': 'br' }).end(await light);
    };
    answered().catch(() => response.writeHead(502).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

async function measureTimes(browser: Browser, url: string, isReady: boolean): Promise<Times> {
  const { width, height, latency, bits, processor } = slowPhone;
  const context = await browser.newContext({ viewport: { width, height }, hasTouch: true });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const throughputs = { downloadThroughput: bits / 8, uploadThroughput: bits / 8 };
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, latency, ...throughputs });
  await session.send('Emulation.setCPUThrottlingRate', { rate: processor });
  await page.addInitScript(observe);
  // The page reports it by itself: polling would delay hydration.
  const whole = isReady ? null : page.waitForEvent('console', (message) => message.text() === 'whole');
  await page.goto(url, { waitUntil: 'networkidle' });
  await whole;
  const times = await page.evaluate(() => (globalThis as unknown as { colophonTimes: Times }).colophonTimes);
  await context.close();
  return times;
}

type Variants = { ready: { url: string }; ssr: RunningShop; plain: RunningShop };

/** The variants are measured in turns, so that other load on the machine affects all alike. */
async function pathRows(browser: Browser, path: string, { ready, ssr, plain }: Variants): Promise<Row[]> {
  const all = { ready: [] as Times[], painted: [] as Times[], plain: [] as Times[] };
  for (let load = 0; load < LOADS; load++) {
    all.ready.push(await measureTimes(browser, ready.url + path, true));
    all.painted.push(await measureTimes(browser, ssr.url + path, false));
    all.plain.push(await measureTimes(browser, plain.url + path, false));
  }
  const of = (kind: keyof typeof all, time: keyof Times): number => median(all[kind].map((each) => each[time]));
  const times = (name: string, time: keyof Times): Row[] =>
    (['ready', 'painted', 'plain'] as const)
      .filter((kind) => of(kind, time) > 0)
      .map((kind) => ({
        name: `${path} on a slow phone, ${kind === 'ready' ? 'static HTML' : kind}: ${name}`,
        value: of(kind, time),
        unit: 'ms',
      }));
  const ratio = (name: string, value: number, limit?: number): Row => ({
    name: `${path} on a slow phone: ${name}`,
    value,
    unit: 'times',
    ...(limit === undefined ? {} : { limit }),
  });
  return [
    ...times('first paint', 'first'),
    ...times('largest paint', 'largest'),
    ...times('live', 'live'),
    ...times('all of it hydrated', 'whole'),
    ratio('first paint, server-rendered to static HTML', of('painted', 'first') / of('ready', 'first'), 1.3),
    ratio('largest paint, server-rendered to static HTML', of('painted', 'largest') / of('ready', 'largest'), 1.3),
    ratio('live, server-rendered to plain', of('painted', 'live') / of('plain', 'live'), 1.1),
    // No limit: content below the fold is hydrated when the browser is idle, or at once when the
    // customer presses there.
    ratio('all of it hydrated, server-rendered to plain', of('painted', 'whole') / of('plain', 'whole')),
  ];
}

/** A distinct title page address; the shop treats addresses that differ in ignored parts as one. */
const toTitlePath = (n: number): string => `/id:${1001 + (n % 12)}/number-${n}`;

/** Every look other than the default: each has its own rendered page. */
const lookCookies = barThemes
  .flatMap((topBar) => barThemes.flatMap((sidebar) => backgrounds.map((background) => `look=${topBar}.${sidebar}.${background}`)))
  .filter((look) => look !== 'look=paper.store.paper');

const measurePage = async (url: string, cookie = ''): Promise<number> => {
  const from = performance.now();
  await (await fetch(url, { headers: { accept: 'text/html', cookie } })).text();
  return performance.now() - from;
};

/**
 * Every browser accepts compressed pages; uncompressed, a rendered page is seven times as long as a
 * plain one.
 */
const browserHeaders = { 'accept-encoding': 'gzip, deflate, br' };

async function serverRows(ssr: RunningShop, plain: RunningShop): Promise<Row[]> {
  const anew = { painted: [] as number[], plain: [] as number[] };
  for (const [n, look] of lookCookies.entries()) {
    anew.painted.push(await measurePage(ssr.url + (paths[n % paths.length] ?? ''), look));
    anew.plain.push(await measurePage(plain.url + toTitlePath(n)));
  }
  const rates = { painted: [] as number[], plain: [] as number[] };
  // The first round is not counted: Brotli has not compressed the pages yet, and V8 has not
  // compiled the code that sends them.
  for (let round = 0; round <= ROUNDS; round++) {
    const painted = await throughput(`${ssr.url}/all`, CALLERS, 1000, browserHeaders);
    const notRendered = await throughput(`${plain.url}/all`, CALLERS, 1000, browserHeaders);
    if (round === 0) continue;
    rates.painted.push(painted.perSecond);
    rates.plain.push(notRendered.perSecond);
  }
  const [rate, plainRate] = [median(rates.painted), median(rates.plain)];
  for (let n = 0; n < ADDRESSES / 2; n++) await measurePage(ssr.url + toTitlePath(n));
  const half = ssr.memory();
  for (let n = ADDRESSES / 2; n < ADDRESSES; n++) await measurePage(ssr.url + toTitlePath(n));
  const sorted = anew.painted.toSorted((a, b) => a - b);
  return [
    {
      name: 'a page rendered per request: 95th percentile',
      value: sorted[Math.ceil(0.95 * sorted.length) - 1] ?? Number.NaN,
      unit: 'ms',
    },
    // A ratio, since absolute times depend on the processor.
    {
      name: 'a page rendered per request to a plain one built per request',
      value: median(anew.painted) / median(anew.plain),
      unit: 'times',
      limit: 6,
    },
    { name: `cached rendered pages per second, ${CALLERS} callers`, value: rate, unit: '/s' },
    { name: `plain pages per second, ${CALLERS} callers`, value: plainRate, unit: '/s' },
    // A rendered page has four times as many bytes to send, compressed.
    { name: 'cached rendered pages to plain ones', value: rate / plainRate, unit: 'times', min: 0.7 },
    {
      name: `memory after ${ADDRESSES} addresses to that after half of them`,
      value: ssr.memory() / half,
      unit: 'times',
      limit: 1.15,
    },
  ];
}

/** Server-rendered first screens, beside the same as static HTML and beside the plain page. */
export async function ssrRows(browser: Browser): Promise<Row[]> {
  const ssr = await startShop({ env: { SSR_MODE: 'always', ADMIN_TOKEN: adminToken } });
  const plain = await startShop({ env: { SSR_MODE: 'off' } });
  const ready = await servePrerendered(ssr.url);
  try {
    await waitForWarmUp(ssr);
    const rows: Row[] = [];
    for (const path of paths) rows.push(...(await pathRows(browser, path, { ready, ssr, plain })));
    return [...rows, ...(await serverRows(ssr, plain))];
  } finally {
    ready.close();
    await Promise.all([ssr.remove(), plain.remove()]);
  }
}
