import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { object, parse, string } from 'valibot';
import { firstLoad, limitKb, manifestSchema } from '../check/budget.ts';
import { browserLaunch } from '../shop/browser.ts';
import { startShop, type RunningShop } from '../shop/running-shop.ts';
import { accessRows } from './access.ts';
import { buyersRows, pressRows } from './buying.ts';
import { catalogueRows } from './catalogue.ts';
import { shiftRows } from './layout-shift.ts';
import { longListRows } from './long-list.ts';
import { loadPage, type PageLoad } from './page-load.ts';
import { weightRows } from './page-weight.ts';
import { recordingRows } from './recording.ts';
import { memoryRows } from './memory.ts';
import { paceRows } from './pace.ts';
import { adminToken, paintedAhead } from './painted-ahead.ts';
import { paintingRows } from './painting.ts';
import { median, type Row } from './rows.ts';
import { slowLineRows } from './slow-line.ts';
import { throughput } from './throughput.ts';

const runs = 5;
const callers = 16;
const configSchema = object({ storeId: string(), storeParameter: string() });

async function loads(browser: Browser, url: string, slowdown: number): Promise<PageLoad[]> {
  const all: PageLoad[] = [];
  for (let run = 0; run < runs; run++) all.push(await loadPage(browser, url, slowdown));
  return all;
}

function middle(all: readonly PageLoad[], of: (load: PageLoad) => number): number {
  return median(all.map(of));
}

function paints(page: string, fast: readonly PageLoad[], slow: readonly PageLoad[]): Row[] {
  return [
    { name: `${page}: first contentful paint`, value: middle(fast, (load) => load.firstPaint), unit: 'ms' },
    { name: `${page}: largest contentful paint`, value: middle(fast, (load) => load.largestPaint), unit: 'ms' },
    {
      name: `${page}: blocking time`,
      value: middle(fast, (load) => load.blocking),
      unit: 'ms',
      limit: 50,
      others: '214 to 1009 ms',
    },
    {
      name: `${page}: largest contentful paint, processor 4 times slower`,
      value: middle(slow, (load) => load.largestPaint),
      unit: 'ms',
    },
    { name: `${page}: blocking time, processor 4 times slower`, value: middle(slow, (load) => load.blocking), unit: 'ms' },
  ];
}

/** The address of some title that the landing page links to. */
async function titleAddress(browser: Browser, shop: RunningShop): Promise<string> {
  const page = await browser.newPage();
  await page.goto(shop.url);
  const path = await page.locator('a[href^="/id:"]').first().getAttribute('href');
  await page.close();
  if (path === null) throw new Error('the landing page links to no title');
  return new URL(path, shop.url).href;
}

async function pageRows(root: string, shop: RunningShop, browser: Browser): Promise<Row[]> {
  // A shop that has just been started is busy for some seconds, and its first visitor waits for
  // the pictures that are kept for all others.
  await paintedAhead(shop);
  await loadPage(browser, shop.url);
  const landing = await loads(browser, shop.url, 1);
  const title = await titleAddress(browser, shop);
  const titles = await loads(browser, title, 1);
  const manifest = parse(manifestSchema, JSON.parse(await readFile(join(root, 'dist/.vite/manifest.json'), 'utf8')));
  const known = new Set(firstLoad(manifest));
  return [
    {
      name: 'landing: scripts of the first load',
      value: middle(landing, (load) => load.scriptKb),
      unit: 'KB',
      limit: limitKb,
      others: '420 to 570 KB',
    },
    {
      name: 'landing: scripts that the bundle budget does not weigh',
      // What is fetched for later, once the page stands, may come before a slow load has ended.
      value: middle(landing, ({ scripts }) => scripts.filter((script) => !known.has(script)).length),
      unit: 'files',
      limit: 0,
    },
    { name: 'landing: requests', value: middle(landing, (load) => load.requests), unit: 'requests' },
    ...paints('landing', landing, await loads(browser, shop.url, 4)),
    { name: 'title: requests', value: middle(titles, (load) => load.requests), unit: 'requests', limit: 12, others: '3 to 33' },
    ...paints('title', titles, await loads(browser, title, 4)),
  ];
}

async function listRows(shop: RunningShop): Promise<Row[]> {
  const config = parse(configSchema, await (await fetch(`${shop.url}/config.json`)).json());
  const url = `${shop.url}/api/titles?${config.storeParameter}=${config.storeId}`;
  await throughput(url, callers, 1000);
  const { perSecond, slowest } = await throughput(url, callers, 5000);
  return [
    { name: `title list: answers a second, ${callers} callers`, value: perSecond, unit: '/s' },
    { name: 'title list: 99 of 100 answers within', value: slowest, unit: 'ms' },
  ];
}

async function startRows(shop: RunningShop): Promise<Row[]> {
  const cold = shop.startedIn;
  const warm: number[] = [];
  for (let run = 0; run < 3; run++) {
    await shop.stop();
    await shop.start();
    warm.push(shop.startedIn);
  }
  return [
    { name: 'server: first start, empty data folder', value: cold, unit: 'ms' },
    { name: 'server: later start', value: median(warm), unit: 'ms' },
  ];
}

type Measured = { root: string; shop: RunningShop; browser: Browser };

/** What is measured, part by part. The shop is started anew by the first, which needs an empty data folder. */
const parts: Record<string, (measured: Measured) => Promise<Row[]>> = {
  starts: ({ shop }) => startRows(shop),
  pages: async ({ root, shop, browser }) => [
    ...(await pageRows(root, shop, browser)),
    ...(await weightRows(browser, shop.url)),
    ...(await shiftRows(browser)),
  ],
  lists: async ({ shop, browser }) => [...(await listRows(shop)), ...(await paceRows(shop)), ...(await longListRows(browser))],
  buying: async ({ shop, browser }) => [...(await pressRows(browser, shop)), ...(await buyersRows())],
  painting: async ({ browser }) => paintingRows(browser),
  recording: async () => recordingRows(),
  catalogue: catalogueRows,
  access: accessRows,
  reading: ({ shop, browser }) => slowLineRows(shop, browser),
  memory: memoryRows,
};

export const partNames = Object.keys(parts);

/** Measures the built shop at `root`, or `only` a part; nothing else should keep the machine busy meanwhile. */
export async function measure(root: string, only?: string): Promise<Row[]> {
  const shop = await startShop({ env: { ADMIN_TOKEN: adminToken } });
  const browser = await chromium.launch(await browserLaunch());
  const rows: Row[] = [];
  try {
    for (const [name, rowsOf] of Object.entries(parts))
      if (only === undefined || only === name) rows.push(...(await rowsOf({ root, shop, browser })));
    return rows;
  } finally {
    await browser.close();
    await shop.remove();
  }
}
