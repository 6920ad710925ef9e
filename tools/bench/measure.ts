import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { object, parse, string } from 'valibot';
import { getFirstLoad, MAX_FIRST_LOAD_KB, manifestSchema } from '../check/budget.ts';
import { getBrowserLaunch } from '../shop/browser.ts';
import { startShop, type RunningShop } from '../shop/running-shop.ts';
import { measureAccess } from './access.ts';
import { measureConcurrentBuyers, measurePresses } from './buying.ts';
import { measureCatalogue } from './catalogue.ts';
import { measureLayoutShifts } from './layout-shift.ts';
import { measureLongLists } from './long-list.ts';
import { loadPage, type PageLoad } from './page-load.ts';
import { measurePageWeight } from './page-weight.ts';
import { measureRecording } from './recording.ts';
import { measureMemory } from './memory.ts';
import { measurePace } from './pace.ts';
import { adminToken, waitForWarmUp } from './warm-up.ts';
import { measureSsr } from './ssr.ts';
import { computeMedian, type Row } from './rows.ts';
import { measureSlowNetwork } from './slow-line.ts';
import { measureThroughput } from './throughput.ts';

const RUNS = 5;
const CALLERS = 16;
const configSchema = object({ storeId: string(), storeParameter: string() });

async function measureLoads(browser: Browser, url: string, slowdown: number): Promise<PageLoad[]> {
  const loads: PageLoad[] = [];
  for (let run = 0; run < RUNS; run++) loads.push(await loadPage(browser, url, slowdown));
  return loads;
}

function computeLoadMedian(loads: readonly PageLoad[], getValue: (load: PageLoad) => number): number {
  return computeMedian(loads.map(getValue));
}

function toPaintRows(page: string, fastLoads: readonly PageLoad[], slowLoads: readonly PageLoad[]): Row[] {
  return [
    { name: `${page}: first contentful paint`, value: computeLoadMedian(fastLoads, (load) => load.firstPaint), unit: 'ms' },
    { name: `${page}: largest contentful paint`, value: computeLoadMedian(fastLoads, (load) => load.largestPaint), unit: 'ms' },
    {
      name: `${page}: blocking time`,
      value: computeLoadMedian(fastLoads, (load) => load.blocking),
      unit: 'ms',
      limit: 50,
      others: '214 to 1009 ms',
    },
    {
      name: `${page}: largest contentful paint, processor 4 times slower`,
      value: computeLoadMedian(slowLoads, (load) => load.largestPaint),
      unit: 'ms',
    },
    {
      name: `${page}: blocking time, processor 4 times slower`,
      value: computeLoadMedian(slowLoads, (load) => load.blocking),
      unit: 'ms',
    },
  ];
}

/** The URL of the first title that the landing page links to. */
async function findTitleUrl(browser: Browser, shop: RunningShop): Promise<string> {
  const page = await browser.newPage();
  await page.goto(shop.url);
  const path = await page.locator('a[href^="/id:"]').first().getAttribute('href');
  await page.close();
  if (path === null) throw new Error(`the landing page ${shop.url} has no link to a title: expected a[href^="/id:"]`);
  return new URL(path, shop.url).href;
}

async function measurePages(root: string, shop: RunningShop, browser: Browser): Promise<Row[]> {
  // A shop that has just started is busy for some seconds, and its first visitor waits for the
  // covers that are then cached for all others.
  await waitForWarmUp(shop);
  await loadPage(browser, shop.url);
  const landingLoads = await measureLoads(browser, shop.url, 1);
  const titleUrl = await findTitleUrl(browser, shop);
  const titleLoads = await measureLoads(browser, titleUrl, 1);
  const manifest = parse(manifestSchema, JSON.parse(await readFile(join(root, 'dist/.vite/manifest.json'), 'utf8')));
  const budgetedScripts = new Set(getFirstLoad(manifest));
  return [
    {
      name: 'landing: scripts of the first load',
      value: computeLoadMedian(landingLoads, (load) => load.scriptKb),
      unit: 'KB',
      limit: MAX_FIRST_LOAD_KB,
      others: '420 to 570 KB',
    },
    {
      name: 'landing: scripts missing from the bundle budget',
      // Files that the page fetches for later may arrive before a slow load has ended.
      value: computeLoadMedian(landingLoads, ({ scripts }) => scripts.filter((script) => !budgetedScripts.has(script)).length),
      unit: 'files',
      limit: 0,
    },
    { name: 'landing: requests', value: computeLoadMedian(landingLoads, (load) => load.requests), unit: 'requests' },
    ...toPaintRows('landing', landingLoads, await measureLoads(browser, shop.url, 4)),
    {
      name: 'title: requests',
      value: computeLoadMedian(titleLoads, (load) => load.requests),
      unit: 'requests',
      limit: 12,
      others: '3 to 33',
    },
    ...toPaintRows('title', titleLoads, await measureLoads(browser, titleUrl, 4)),
  ];
}

async function measureLists(shop: RunningShop): Promise<Row[]> {
  const config = parse(configSchema, await (await fetch(`${shop.url}/config.json`)).json());
  const url = `${shop.url}/api/titles?${config.storeParameter}=${config.storeId}`;
  await measureThroughput(url, CALLERS, 1000);
  const { perSecond, percentile99 } = await measureThroughput(url, CALLERS, 5000);
  return [
    { name: `title list: responses per second, ${CALLERS} callers`, value: perSecond, unit: '/s' },
    { name: 'title list: 99th percentile', value: percentile99, unit: 'ms' },
  ];
}

async function measureStarts(shop: RunningShop): Promise<Row[]> {
  const firstMs = shop.startupMs;
  const laterMs: number[] = [];
  for (let run = 0; run < 3; run++) {
    await shop.stop();
    await shop.start();
    laterMs.push(shop.startupMs);
  }
  return [
    { name: 'server: first start, empty data folder', value: firstMs, unit: 'ms' },
    { name: 'server: later start', value: computeMedian(laterMs), unit: 'ms' },
  ];
}

type BenchTarget = { root: string; shop: RunningShop; browser: Browser };

/** The measurements by part. The first one restarts the shop, and needs an empty data folder. */
const measurements: Record<string, (target: BenchTarget) => Promise<Row[]>> = {
  starts: ({ shop }) => measureStarts(shop),
  pages: async ({ root, shop, browser }) => [
    ...(await measurePages(root, shop, browser)),
    ...(await measurePageWeight(browser, shop.url)),
    ...(await measureLayoutShifts(browser)),
  ],
  lists: async ({ shop, browser }) => [
    ...(await measureLists(shop)),
    ...(await measurePace(shop)),
    ...(await measureLongLists(browser)),
  ],
  buying: async ({ shop, browser }) => [...(await measurePresses(browser, shop)), ...(await measureConcurrentBuyers())],
  ssr: async ({ browser }) => measureSsr(browser),
  recording: async () => measureRecording(),
  catalogue: measureCatalogue,
  access: measureAccess,
  reading: ({ shop, browser }) => measureSlowNetwork(shop, browser),
  memory: measureMemory,
};

export const partNames = Object.keys(measurements);

/**
 * Measures the built shop at `root`, or `only` one part. Nothing else should use the processor
 * during the run.
 */
export async function measure(root: string, only?: string): Promise<Row[]> {
  const shop = await startShop({ env: { ADMIN_TOKEN: adminToken } });
  const browser = await chromium.launch(await getBrowserLaunch());
  const rows: Row[] = [];
  try {
    for (const [name, measurePart] of Object.entries(measurements))
      if (only === undefined || only === name) rows.push(...(await measurePart({ root, shop, browser })));
    return rows;
  } finally {
    await browser.close();
    await shop.remove();
  }
}
