import { gzipSync } from 'node:zlib';
import type { Browser, Page, Response } from 'playwright-core';

/**
 * The first load of a page by a visitor with an empty cache. Times are milliseconds from the start
 * of the navigation.
 */
export type PageLoad = {
  /** Gzipped at level 6, in KB of 1000 bytes. */
  scriptKb: number;
  scripts: string[];
  requests: number;
  firstPaint: number;
  largestPaint: number;
  /** The sum over all long tasks after the first paint of their time beyond 50 ms. */
  blocking: number;
};

type PaintTimes = { first: number; largest: number; tasks: { start: number; duration: number }[] };

// Runs in the page before its own scripts.
function observe(): void {
  const times: PaintTimes = { first: 0, largest: 0, tasks: [] };
  Object.assign(globalThis, { colophonBench: times });
  const observeEntries = (type: string, onEntry: (entry: PerformanceEntry) => void): void => {
    new PerformanceObserver((list) => list.getEntries().forEach(onEntry)).observe({ type, buffered: true });
  };
  observeEntries('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') times.first = entry.startTime;
  });
  observeEntries('largest-contentful-paint', (entry) => {
    times.largest = entry.startTime;
  });
  observeEntries('longtask', (entry) => {
    times.tasks.push({ start: entry.startTime, duration: entry.duration });
  });
}

function readPaintTimes(page: Page): Promise<PaintTimes> {
  return page.evaluate(() => (globalThis as unknown as { colophonBench: PaintTimes }).colophonBench);
}

function isScript(response: Response): boolean {
  return response.request().resourceType() === 'script' || /javascript/.test(response.headers()['content-type'] ?? '');
}

// Runs in the page: whether it has text, no busy element, and all its eager images.
export function isDrawn(): boolean {
  const eagerImages = [...document.images].filter(({ loading }) => loading === 'eager');
  const isBusy = document.querySelector('[aria-busy="true"]') !== null;
  return !isBusy && document.body.innerText.trim() !== '' && eagerImages.every(({ complete }) => complete);
}

/**
 * Loads `url` until it is drawn and the network is idle. `slowdown` divides the processor's speed.
 */
export async function loadPage(browser: Browser, url: string, slowdown = 1): Promise<PageLoad> {
  const context = await browser.newContext({ viewport: { width: 1366, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.addInitScript(observe);
  const responses: Response[] = [];
  let requests = 0;
  page.on('request', (request) => (requests += request.url().startsWith('http') ? 1 : 0));
  page.on('response', (response) => responses.push(response));
  await page.goto(url, { waitUntil: 'networkidle' });
  // With a slow processor, the network is idle before the page is drawn.
  await page.waitForFunction(isDrawn);
  const scripts = responses.filter(isScript);
  const bodies = await Promise.all(scripts.map((response) => response.body()));
  const { first, largest, tasks } = await readPaintTimes(page);
  await context.close();
  return {
    scriptKb: bodies.reduce((sum, body) => sum + gzipSync(body, { level: 6 }).length, 0) / 1000,
    scripts: scripts.map((response) => new URL(response.url()).pathname.slice(1)),
    requests,
    firstPaint: first,
    largestPaint: largest,
    blocking: tasks.filter(({ start }) => start >= first).reduce((sum, { duration }) => sum + duration - 50, 0),
  };
}
