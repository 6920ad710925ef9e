import type { Browser, Page } from 'playwright-core';
import { addBigStore } from './big-store.ts';
import { startShop } from '../shop/running-shop.ts';
import { computeMedian, type Row } from './rows.ts';

const TITLE_COUNT = 10_000;
const FIRST_TITLES = 20;
const RUNS = 5;
const viewport = { width: 1366, height: 900 };

type Bench = { waitUntilDrawn: (titles: number) => Promise<number> };

// Runs in the page before its own scripts.
function observe(): void {
  const nextFrame = (): Promise<number> =>
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))));
  const countDrawn = (): number => document.querySelectorAll('[data-flow="catalogue"] [data-place] a').length;
  const bench: Bench = {
    // Resolves in the frame after the first one that contains `titles` titles: they have been drawn
    // by then.
    waitUntilDrawn: async (titles) => {
      let time = await nextFrame();
      while (countDrawn() < titles) time = await nextFrame();
      return time;
    },
  };
  Object.assign(globalThis, { colophonLists: bench });
}

const bench = (): Bench => (globalThis as unknown as { colophonLists: Bench }).colophonLists;
const benchSource = `const bench = ${bench.toString()};`;

const openPage = async (browser: Browser): Promise<Page> => {
  const page = await (await browser.newContext({ viewport })).newPage();
  await page.addInitScript(observe);
  return page;
};

/**
 * Measures the milliseconds until a list is drawn: `openMs` from the start of its page, `backMs`
 * from pressing Back to the restored list.
 */
async function measureOpenAndBack(page: Page, path: string): Promise<{ openMs: number; backMs: number }> {
  await page.goto(path, { waitUntil: 'commit' });
  await page.waitForFunction('globalThis.colophonLists !== undefined');
  const openMs = await page.evaluate<number>(`(async () => { ${benchSource} return bench().waitUntilDrawn(1); })()`);
  await page.locator('[data-flow="catalogue"][data-state*="resting"]').waitFor();
  await page.locator('[data-place] a').first().click();
  await page.locator('[data-flow="title"][data-state*="shown"]').waitFor();
  await page.waitForLoadState('networkidle');
  const backMs = await page.evaluate<number>(`(async () => { ${benchSource}
    const start = performance.now();
    history.back();
    return (await bench().waitUntilDrawn(1)) - start;
  })()`);
  return { openMs, backMs };
}

/**
 * Measures the milliseconds from the request until the first titles of a response of ten thousand
 * are on screen (`drawMs`), and until the response has ended (`endMs`).
 */
async function measureLongResponse(page: Page, path: string): Promise<{ drawMs: number; endMs: number }> {
  await page.route('**/api/titles?*', (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', String(TITLE_COUNT));
    return route.continue({ url: url.href });
  });
  await page.goto(path, { waitUntil: 'commit' });
  await page.waitForFunction('globalThis.colophonLists !== undefined');
  const drawnAt = await page.evaluate<number>(
    `(async () => { ${benchSource} return bench().waitUntilDrawn(${FIRST_TITLES}); })()`,
  );
  await page.locator('[data-flow="catalogue"][data-state*="resting"]').waitFor({ timeout: 60_000 });
  const { start, end } = await page.evaluate(() => {
    const [timing] = performance
      .getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname.endsWith('/api/titles')) as PerformanceResourceTiming[];
    return { start: timing?.startTime ?? Number.NaN, end: timing?.responseEnd ?? Number.NaN };
  });
  return { drawMs: drawnAt - start, endMs: end - start };
}

/** Milliseconds of each frame while the list is scrolled, half a screen per frame. */
async function measureScrolling(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const frames: number[] = [];
    let lastFrameTime = performance.now();
    for (let frame = 0; frame < 150; frame += 1) {
      scrollBy(0, 450);
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      frames.push(now - lastFrameTime);
      lastFrameTime = now;
    }
    return frames;
  });
}

/**
 * Measures the cost to a shopper of a long list, and of going back to one, in the browser on a
 * store of ten thousand titles.
 */
export async function measureLongLists(browser: Browser): Promise<Row[]> {
  // A server-rendered page contains its list; these rows measure how a list loads.
  const shop = await startShop({ env: { SSR_MODE: 'off' } });
  try {
    const url = `${await addBigStore(shop, TITLE_COUNT)}/all`;
    const visits: { openMs: number; backMs: number }[] = [];
    const responses: { drawMs: number; endMs: number }[] = [];
    let frames: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const visitor = await openPage(browser);
      visits.push(await measureOpenAndBack(visitor, url));
      await visitor.context().close();
      const reader = await openPage(browser);
      responses.push(await measureLongResponse(reader, url));
      if (run === 0) frames = await measureScrolling(reader);
      await reader.context().close();
    }
    frames.sort((a, b) => a - b);
    const backMs = computeMedian(visits.map((visit) => visit.backMs));
    const drawMs = computeMedian(responses.map((response) => response.drawMs));
    const endMs = computeMedian(responses.map((response) => response.endMs));
    return [
      { name: 'route change: back to a list, drawn again from memory', value: backMs, unit: 'ms' },
      // A ratio, since absolute times depend on the processor.
      {
        name: 'route change: back to a list, as a share of opening it',
        value: backMs / computeMedian(visits.map((visit) => visit.openMs)),
        unit: 'times',
        limit: 0.3,
      },
      { name: `response of ${TITLE_COUNT} titles: first ${FIRST_TITLES} drawn`, value: drawMs, unit: 'ms' },
      { name: `response of ${TITLE_COUNT} titles: ended`, value: endMs, unit: 'ms' },
      {
        name: `response of ${TITLE_COUNT} titles: first ${FIRST_TITLES} drawn after this share of it`,
        value: drawMs / endMs,
        unit: 'times',
        limit: 1,
      },
      {
        name: `list of ${TITLE_COUNT} titles, scrolled: 95th percentile of frames`,
        value: frames[Math.floor(frames.length * 0.95)] ?? Number.NaN,
        unit: 'ms',
      },
    ];
  } finally {
    await shop.remove();
  }
}
