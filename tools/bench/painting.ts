import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { backgrounds, barThemes } from '../../machines/model/store/appearance.ts';
import { startShop, type RunningShop } from '../shop/running-shop.ts';
import { adminToken, paintedAhead } from './painted-ahead.ts';
import { median, type Row } from './rows.ts';
import { throughput } from './throughput.ts';

/** A telephone on a slow line: milliseconds of latency, bits a second, and how many times slower its processor is. */
const slowPhone = { latency: 150, bits: 1_600_000, processor: 4, width: 390, height: 844 };

const paths = ['/', '/all', '/id:1001'];
const loads = 5;
const rounds = 9;
const callers = 16;
const addresses = 2_000;

/**
 * Milliseconds from the start of the navigation; `live` is when React owns a link of the screen, `whole` when it owns the foot below it,
 * too: nothing is left to be hydrated.
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
    // Not by frames: a page in which nothing changes draws none, and to ask for them would slow down the one that is painted.
    else setTimeout(look, 10);
  };
  look();
}

const compressed = promisify(brotliCompress);

/**
 * The shop's pages without all that makes a program of them: the same screen as ready HTML. On a server, so that they come
 * over the same line as the shop's own.
 */
async function serveReady(shop: string): Promise<{ url: string; close: () => void }> {
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
      // As the shop keeps what it has compressed.
      const light = kept.get(ready) ?? compressed(ready);
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

async function timesOf(browser: Browser, url: string, isReady: boolean): Promise<Times> {
  const { width, height, latency, bits, processor } = slowPhone;
  const context = await browser.newContext({ viewport: { width, height }, hasTouch: true });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const throughputs = { downloadThroughput: bits / 8, uploadThroughput: bits / 8 };
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, latency, ...throughputs });
  await session.send('Emulation.setCPUThrottlingRate', { rate: processor });
  await page.addInitScript(observe);
  // It tells by itself: to ask it would hold it up.
  const whole = isReady ? null : page.waitForEvent('console', (message) => message.text() === 'whole');
  await page.goto(url, { waitUntil: 'networkidle' });
  await whole;
  const times = await page.evaluate(() => (globalThis as unknown as { colophonTimes: Times }).colophonTimes);
  await context.close();
  return times;
}

type Sides = { ready: { url: string }; painting: RunningShop; plain: RunningShop };

/** Taken by turns, so that what else the machine does weighs on all alike. */
async function pathRows(browser: Browser, path: string, { ready, painting, plain }: Sides): Promise<Row[]> {
  const all = { ready: [] as Times[], painted: [] as Times[], plain: [] as Times[] };
  for (let load = 0; load < loads; load++) {
    all.ready.push(await timesOf(browser, ready.url + path, true));
    all.painted.push(await timesOf(browser, painting.url + path, false));
    all.plain.push(await timesOf(browser, plain.url + path, false));
  }
  const of = (kind: keyof typeof all, time: keyof Times): number => median(all[kind].map((each) => each[time]));
  const times = (name: string, time: keyof Times): Row[] =>
    (['ready', 'painted', 'plain'] as const)
      .filter((kind) => of(kind, time) > 0)
      .map((kind) => ({
        name: `${path} on a slow phone, ${kind === 'ready' ? 'ready HTML' : kind}: ${name}`,
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
    ...times('all of it live', 'whole'),
    ratio('first paint, painted to ready HTML', of('painted', 'first') / of('ready', 'first'), 1.3),
    ratio('largest paint, painted to ready HTML', of('painted', 'largest') / of('ready', 'largest'), 1.3),
    ratio('live, painted to plain', of('painted', 'live') / of('plain', 'live'), 1.1),
    // What is below is hydrated when there is time, or at once where somebody presses something: no limit.
    ratio('all of it live, painted to plain', of('painted', 'whole') / of('plain', 'whole')),
  ];
}

/** An address of its own of a title's page; what the shop does not read in one is no other address. */
const titleAddress = (n: number): string => `/id:${1001 + (n % 12)}/number-${n}`;

/** Every other look that somebody may have chosen: a page is painted for each. */
const looks = barThemes
  .flatMap((topBar) => barThemes.flatMap((sidebar) => backgrounds.map((background) => `look=${topBar}.${sidebar}.${background}`)))
  .filter((look) => look !== 'look=paper.store.paper');

const pageAt = async (url: string, cookie = ''): Promise<number> => {
  const from = performance.now();
  await (await fetch(url, { headers: { accept: 'text/html', cookie } })).text();
  return performance.now() - from;
};

/** Every browser takes a page compressed; as text a painted one is seven times as long as a plain one. */
const asBrowsers = { 'accept-encoding': 'gzip, deflate, br' };

async function serverRows(painting: RunningShop, plain: RunningShop): Promise<Row[]> {
  const anew = { painted: [] as number[], plain: [] as number[] };
  for (const [n, look] of looks.entries()) {
    anew.painted.push(await pageAt(painting.url + (paths[n % paths.length] ?? ''), look));
    anew.plain.push(await pageAt(plain.url + titleAddress(n)));
  }
  const rates = { painted: [] as number[], plain: [] as number[] };
  // A first round is not counted: Brotli has not compressed the pages yet, and V8 has not compiled
  // the code that sends them.
  for (let round = 0; round <= rounds; round++) {
    const painted = await throughput(`${painting.url}/all`, callers, 1000, asBrowsers);
    const unpainted = await throughput(`${plain.url}/all`, callers, 1000, asBrowsers);
    if (round === 0) continue;
    rates.painted.push(painted.perSecond);
    rates.plain.push(unpainted.perSecond);
  }
  const [rate, plainRate] = [median(rates.painted), median(rates.plain)];
  for (let n = 0; n < addresses / 2; n++) await pageAt(painting.url + titleAddress(n));
  const half = painting.memory();
  for (let n = addresses / 2; n < addresses; n++) await pageAt(painting.url + titleAddress(n));
  const sorted = anew.painted.toSorted((a, b) => a - b);
  return [
    {
      name: 'a page that is painted anew: 95 of 100 within',
      value: sorted[Math.ceil(0.95 * sorted.length) - 1] ?? Number.NaN,
      unit: 'ms',
    },
    // A processor decides how many milliseconds each takes.
    {
      name: 'a page that is painted anew to a plain one made anew',
      value: median(anew.painted) / median(anew.plain),
      unit: 'times',
      limit: 6,
    },
    { name: `kept painted pages a second, ${callers} callers`, value: rate, unit: '/s' },
    { name: `plain pages a second, ${callers} callers`, value: plainRate, unit: '/s' },
    // A rendered page has four times as many bytes to be sent, compressed.
    { name: 'kept painted pages to plain ones', value: rate / plainRate, unit: 'times', least: 0.7 },
    {
      name: `memory after ${addresses} addresses to that after half of them`,
      value: painting.memory() / half,
      unit: 'times',
      limit: 1.15,
    },
  ];
}

/** Painted first screens beside the same as ready HTML, and beside the plain page. */
export async function paintingRows(browser: Browser): Promise<Row[]> {
  const painting = await startShop({ env: { PAINT: 'always', ADMIN_TOKEN: adminToken } });
  const plain = await startShop({ env: { PAINT: 'off' } });
  const ready = await serveReady(painting.url);
  try {
    await paintedAhead(painting);
    const rows: Row[] = [];
    for (const path of paths) rows.push(...(await pathRows(browser, path, { ready, painting, plain })));
    return [...rows, ...(await serverRows(painting, plain))];
  } finally {
    ready.close();
    await Promise.all([painting.remove(), plain.remove()]);
  }
}
