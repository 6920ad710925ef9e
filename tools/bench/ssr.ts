import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { backgrounds, barThemes } from '../../machines/model/store/appearance.ts';
import { startShop, type RunningShop } from '../shop/running-shop.ts';
import { adminToken, waitForWarmUp } from './warm-up.ts';
import { computeMedian, type Row } from './rows.ts';
import { measureThroughput } from './throughput.ts';

/** A phone on a slow network: latency in ms, bandwidth in bits per second, CPU slowdown factor. */
const slowPhone = { latency: 150, bits: 1_600_000, processor: 4, width: 390, height: 844 };

const paths = ['/', '/all', '/id:1001'];
const LOADS = 5;
const ROUNDS = 9;
const CALLERS = 16;
const ADDRESSES = 2_000;

/**
 * Milliseconds from the start of the navigation. `live`: React has hydrated a link of the screen.
 * `complete`: React has hydrated the footer below the screen too, so nothing is left to hydrate.
 */
type Times = { first: number; largest: number; live: number; complete: number };

// Runs in the page before its own scripts.
function observe(): void {
  const times: Times = { first: 0, largest: 0, live: 0, complete: 0 };
  Object.assign(globalThis, { colophonTimes: times });
  const observeEntries = (type: string, onEntry: (entry: PerformanceEntry) => void): void => {
    new PerformanceObserver((list) => list.getEntries().forEach(onEntry)).observe({ type, buffered: true });
  };
  observeEntries('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') times.first = entry.startTime;
  });
  observeEntries('largest-contentful-paint', (entry) => {
    times.largest = entry.startTime;
  });
  const isHydrated = (link: string): boolean =>
    Object.keys(document.querySelector(link) ?? {}).some((key) => key.startsWith('__react'));
  const checkHydration = (): void => {
    if (isHydrated('main [data-flow] a')) times.live ||= performance.now();
    if (times.live > 0 && isHydrated('footer a')) {
      times.complete = performance.now();
      console.debug('complete');
    }
    // Not by animation frames: a page in which nothing changes draws none, and requesting them
    // would slow down the server-rendered page.
    else setTimeout(checkHydration, 10);
  };
  checkHydration();
}

const compressBrotli = promisify(brotliCompress);

/**
 * Serves the shop's pages without any script, as static HTML of the same screen, so that they use
 * the same network as the shop's own.
 */
async function servePrerendered(shop: string): Promise<{ url: string; close: () => void }> {
  const cachedPages = new Map<string, Promise<Buffer>>();
  const server = createServer((request, response) => {
    const respond = async () => {
      const { accept = '' } = request.headers;
      const shopResponse = await fetch(shop + (request.url ?? ''), { headers: { accept } });
      const type = shopResponse.headers.get('content-type') ?? '';
      const body = Buffer.from(await shopResponse.arrayBuffer());
      const headers = { 'content-type': type, 'cache-control': shopResponse.headers.get('cache-control') ?? '' };
      if (!type.startsWith('text/html')) return response.writeHead(shopResponse.status, headers).end(body);
      const staticHtml = body.toString().replaceAll(/<script\b.*?<\/script>|<link rel="modulepreload"[^>]*>/gs, '');
      // Cached after compression, as in the shop.
      const compressedPage = cachedPages.get(staticHtml) ?? compressBrotli(staticHtml);
      cachedPages.set(staticHtml, compressedPage);
      return response.writeHead(shopResponse.status, { ...headers, 'content-encoding': 'br' }).end(await compressedPage);
    };
    respond().catch(() => response.writeHead(502).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

async function measureTimes(browser: Browser, url: string, isStatic: boolean): Promise<Times> {
  const { width, height, latency, bits, processor } = slowPhone;
  const context = await browser.newContext({ viewport: { width, height }, hasTouch: true });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const throughputs = { downloadThroughput: bits / 8, uploadThroughput: bits / 8 };
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, latency, ...throughputs });
  await session.send('Emulation.setCPUThrottlingRate', { rate: processor });
  await page.addInitScript(observe);
  // The page reports its hydration by itself: polling would delay it.
  const hydrationEvent = isStatic ? null : page.waitForEvent('console', (message) => message.text() === 'complete');
  await page.goto(url, { waitUntil: 'networkidle' });
  await hydrationEvent;
  const times = await page.evaluate(() => (globalThis as unknown as { colophonTimes: Times }).colophonTimes);
  await context.close();
  return times;
}

type Variants = { ready: { url: string }; ssr: RunningShop; plain: RunningShop };

/** Measures the variants in turns, so that other load on the computer affects all alike. */
async function measurePath(browser: Browser, path: string, { ready, ssr, plain }: Variants): Promise<Row[]> {
  const loads = { ready: [] as Times[], rendered: [] as Times[], plain: [] as Times[] };
  for (let load = 0; load < LOADS; load++) {
    loads.ready.push(await measureTimes(browser, ready.url + path, true));
    loads.rendered.push(await measureTimes(browser, ssr.url + path, false));
    loads.plain.push(await measureTimes(browser, plain.url + path, false));
  }
  const getMedian = (kind: keyof typeof loads, time: keyof Times): number => computeMedian(loads[kind].map((each) => each[time]));
  const labels = { ready: 'static HTML', rendered: 'server-rendered', plain: 'plain' };
  const toRows = (name: string, time: keyof Times): Row[] =>
    (['ready', 'rendered', 'plain'] as const)
      .filter((kind) => getMedian(kind, time) > 0)
      .map((kind) => ({
        name: `${path} on a slow phone, ${labels[kind]}: ${name}`,
        value: getMedian(kind, time),
        unit: 'ms',
      }));
  const toRatioRow = (name: string, value: number, limit?: number): Row => ({
    name: `${path} on a slow phone: ${name}`,
    value,
    unit: 'times',
    ...(limit === undefined ? {} : { limit }),
  });
  return [
    ...toRows('first paint', 'first'),
    ...toRows('largest paint', 'largest'),
    ...toRows('live', 'live'),
    ...toRows('all of it hydrated', 'complete'),
    toRatioRow('first paint, server-rendered to static HTML', getMedian('rendered', 'first') / getMedian('ready', 'first'), 1.3),
    toRatioRow(
      'largest paint, server-rendered to static HTML',
      getMedian('rendered', 'largest') / getMedian('ready', 'largest'),
      1.3,
    ),
    toRatioRow('live, server-rendered to plain', getMedian('rendered', 'live') / getMedian('plain', 'live'), 1.1),
    // No limit: content below the fold is hydrated when the browser is idle, or at once when the
    // customer presses there.
    toRatioRow(
      'all of it hydrated, server-rendered to plain',
      getMedian('rendered', 'complete') / getMedian('plain', 'complete'),
    ),
  ];
}

/**
 * The n-th of many paths to the pages of twelve titles; for the shop, all paths of one title are
 * one page, with any number at their end.
 */
const toTitlePath = (n: number): string => `/id:${1001 + (n % 12)}/number-${n}`;

/** Every look other than the default: each has its own rendered page. */
const lookCookies = barThemes
  .flatMap((topBar) => barThemes.flatMap((sidebar) => backgrounds.map((background) => `look=${topBar}.${sidebar}.${background}`)))
  .filter((look) => look !== 'look=paper.store.paper');

const measurePage = async (url: string, cookie = ''): Promise<number> => {
  const startedAt = performance.now();
  await (await fetch(url, { headers: { accept: 'text/html', cookie } })).text();
  return performance.now() - startedAt;
};

/**
 * Every browser accepts compressed pages; uncompressed, a rendered page is seven times as long as a
 * plain one.
 */
const browserHeaders = { 'accept-encoding': 'gzip, deflate, br' };

async function measureServer(ssr: RunningShop, plain: RunningShop): Promise<Row[]> {
  const renderMs = { rendered: [] as number[], plain: [] as number[] };
  for (const [n, look] of lookCookies.entries()) {
    renderMs.rendered.push(await measurePage(ssr.url + (paths[n % paths.length] ?? ''), look));
    renderMs.plain.push(await measurePage(plain.url + toTitlePath(n)));
  }
  const rates = { rendered: [] as number[], plain: [] as number[] };
  // The first round is not counted: Brotli has not compressed the pages yet, and V8 has not
  // compiled the code that sends them.
  for (let round = 0; round <= ROUNDS; round++) {
    const rendered = await measureThroughput(`${ssr.url}/all`, CALLERS, 1000, browserHeaders);
    const notRendered = await measureThroughput(`${plain.url}/all`, CALLERS, 1000, browserHeaders);
    if (round === 0) continue;
    rates.rendered.push(rendered.perSecond);
    rates.plain.push(notRendered.perSecond);
  }
  const [rate, plainRate] = [computeMedian(rates.rendered), computeMedian(rates.plain)];
  for (let n = 0; n < ADDRESSES / 2; n++) await measurePage(ssr.url + toTitlePath(n));
  const memoryAtHalf = ssr.readMemory();
  for (let n = ADDRESSES / 2; n < ADDRESSES; n++) await measurePage(ssr.url + toTitlePath(n));
  const sortedMs = renderMs.rendered.toSorted((a, b) => a - b);
  return [
    {
      name: 'a page rendered per request: 95th percentile',
      value: sortedMs[Math.ceil(0.95 * sortedMs.length) - 1] ?? Number.NaN,
      unit: 'ms',
    },
    // A ratio, since absolute times depend on the processor.
    {
      name: 'a page rendered per request to a plain one built per request',
      value: computeMedian(renderMs.rendered) / computeMedian(renderMs.plain),
      unit: 'times',
      limit: 6,
    },
    { name: `cached rendered pages per second, ${CALLERS} callers`, value: rate, unit: '/s' },
    { name: `plain pages per second, ${CALLERS} callers`, value: plainRate, unit: '/s' },
    // A rendered page has four times as many bytes to send, compressed.
    { name: 'cached rendered pages to plain ones', value: rate / plainRate, unit: 'times', min: 0.7 },
    {
      name: `memory after ${ADDRESSES} addresses to that after half of them`,
      value: ssr.readMemory() / memoryAtHalf,
      unit: 'times',
      limit: 1.15,
    },
  ];
}

/** Measures server-rendered first screens, the same screens as static HTML, and the plain page. */
export async function measureSsr(browser: Browser): Promise<Row[]> {
  const ssr = await startShop({ env: { SSR_MODE: 'always', ADMIN_TOKEN: adminToken } });
  const plain = await startShop({ env: { SSR_MODE: 'off' } });
  const ready = await servePrerendered(ssr.url);
  try {
    await waitForWarmUp(ssr);
    const rows: Row[] = [];
    for (const path of paths) rows.push(...(await measurePath(browser, path, { ready, ssr, plain })));
    return [...rows, ...(await measureServer(ssr, plain))];
  } finally {
    ready.close();
    await Promise.all([ssr.remove(), plain.remove()]);
  }
}
