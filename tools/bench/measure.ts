import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { object, parse, string } from 'valibot';
import { getFirstLoad, MAX_FIRST_LOAD_KB, manifestSchema } from '../check/budget.ts';
import { getBrowserLaunch } from '../shop/browser.ts';
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
import { adminToken, waitForWarmUp } from './warm-up.ts';
import { ssrRows } from './ssr.ts';
import { median, type Row } from './rows.ts';
import { slowLineRows } from './slow-line.ts';
import { throughput } from './throughput.ts';

const RUNS = 5;
const CALLERS = 16;
const configSchema = object({ storeId: string(), storeParameter: string() });

async function measureLoads(browser: Browser, url: string, slowdown: number): Promise<PageLoad[]> {
  const all: PageLoad[] = [];
  for (let run = 0; run < RUNS; run++) all.push(await loadPage(browser, url, slowdown));
  return all;
}

function medianOf(all: readonly PageLoad[], of: (load: PageLoad) => number): number {
  return median(all.map(of));
}

function toPaintRows(page: string, fast: readonly PageLoad[], slow: readonly PageLoad[]): Row[] {
  return [
    { name: `${page}: first contentful paint`, value: medianOf(fast, (load) => load.firstPaint), unit: 'ms' },
    { name: `${page}: largest contentful paint`, value: medianOf(fast, (load) => load.largestPaint), unit: 'ms' },
    {
      name: `${page}: blocking time`,
      value: medianOf(fast, (load) => load.blocking),
      unit: 'ms',
      limit: 50,
      others: '214 to 1009 ms',
    },
    {
      name: `${page}: largest contentful paint, processor 4 times slower`,
      value: medianOf(slow, (load) => load.largestPaint),
      unit: 'ms',
    },
    { name: `${page}: blocking time, processor 4 times slower`, value: medianOf(slow, (load) => load.blocking), unit: 'ms' },
  ];
}

/** The address of any title that the landing page links to. */
async function findTitleUrl(browser: Browser, shop: RunningShop): Promise<string> {
  const page = await browser.newPage();
  await page.goto(shop.url);
  const path = await page.locator('a[href^="/id:"]').first().getAttribute('href');
  await page.close();
  if (path === null) throw new Error('the landing page has no link to a title');
  return new URL(path, shop.url).href;
}

async function pageRows(root: string, shop: RunningShop, browser: Browser): Promise<Row[]> {
  // A shop that has just started is busy for some seconds, and its first visitor waits for the
  // covers that are then cached for all others.
  await waitForWarmUp(shop);
  await loadPage(browser, shop.url);
  const landing = await measureLoads(browser, shop.url, 1);
  const title = await findTitleUrl(browser, shop);
  const titles = await measureLoads(browser, title, 1);
  const manifest = parse(manifestSchema, JSON.parse(await readFile(join(root, 'dist/.vite/manifest.json'), 'utf8')));
  const known = new Set(getFirstLoad(manifest));
  return [
    {
      name: 'landing: scripts of the first load',
      value: medianOf(landing, (load) => load.scriptKb),
      unit: 'KB',
      limit: MAX_FIRST_LOAD_KB,
      others: '420 to 570 KB',
    },
    {
      name: 'landing: scripts missing from the bundle budget',
      // Files that the page fetches for later may arrive before a slow load has ended.
      value: medianOf(landing, ({ scripts }) => scripts.filter((script) => !known.has(script)).length),
      unit: 'files',
      limit: 0,
    },
    { name: 'landing: requests', value: medianOf(landing, (load) => load.requests), unit: 'requests' },
    ...toPaintRows('landing', landing, await measureLoads(browser, shop.url, 4)),
    { name: 'title: requests', value: medianOf(titles, (load) => load.requests), unit: 'requests', limit: 12, others: '3 to 33' },
    ...toPaintRows('title', titles, await measureLoads(browser, title, 4)),
  ];
}

async function listRows(shop: RunningShop): Promise<Row[]> {
  const config = parse(configSchema, await (await fetch(`${shop.url}/config.json`)).json());
  const url = `${shop.url}/api/titles?${config.storeParameter}=${config.storeId}`;
  await throughput(url, CALLERS, 1000);
  const { perSecond, slowest } = await throughput(url, CALLERS, 5000);
  return [
    { name: `title list: responses per second, ${CALLERS} callers`, value: perSecond, unit: '/s' },
    { name: 'title list: 99th percentile', value: slowest, unit: 'ms' },
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

type BenchTarget = { root: string; shop: RunningShop; browser: Browser };

/** The measurements by part. The first one restarts the shop, and needs an empty data folder. */
const rowsByPart: Record<string, (measured: BenchTarget) => Promise<Row[]>> = {
  starts: ({ shop }) => startRows(shop),
  pages: async ({ root, shop, browser }) => [
    ...(await pageRows(root, shop, browser)),
    ...(await weightRows(browser, shop.url)),
    ...(await shiftRows(browser)),
  ],
  lists: async ({ shop, browser }) => [...(await listRows(shop)), ...(await paceRows(shop)), ...(await longListRows(browser))],
  buying: async ({ shop, browser }) => [...(await pressRows(browser, shop)), ...(await buyersRows())],
  ssr: async ({ browser }) => ssrRows(browser),
  recording: async () => recordingRows(),
  catalogue: catalogueRows,
  access: accessRows,
  reading: ({ shop, browser }) => slowLineRows(shop, browser),
  memory: memoryRows,
};

export const partNames = Object.keys(rowsByPart);

/**
 * Measures the built shop at `root`, or `only` one part. Nothing else should use the processor
 * during the run.
 */
export async function measure(root: string, only?: string): Promise<Row[]> {
  const shop = await startShop({ env: { ADMIN_TOKEN: adminToken } });
  const browser = await chromium.launch(await getBrowserLaunch());
  const rows: Row[] = [];
  try {
    for (const [name, rowsOf] of Object.entries(rowsByPart))
      if (only === undefined || only === name) rows.push(...(await rowsOf({ root, shop, browser })));
    return rows;
  } finally {
    await browser.close();
    await shop.remove();
  }
}
