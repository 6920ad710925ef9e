import type { Browser, Page } from 'playwright-core';
import { addBigStore } from './big-store.ts';
import { startShop } from '../shop/running-shop.ts';
import { median, type Row } from './rows.ts';

const count = 10_000;
const first = 20;
const runs = 5;
const viewport = { width: 1366, height: 900 };

type Bench = { painted: (titles: number) => Promise<number> };

// Runs in the page before its own scripts.
function observe(): void {
  const frame = (): Promise<number> =>
    new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))));
  const drawn = (): number => document.querySelectorAll('[data-flow="catalogue"] [data-place] a').length;
  const bench: Bench = {
    // The frame behind the one in which so many titles stand is the first that was painted with them.
    painted: async (titles) => {
      let at = await frame();
      while (drawn() < titles) at = await frame();
      return at;
    },
  };
  Object.assign(globalThis, { colophonLists: bench });
}

const bench = (): Bench => (globalThis as unknown as { colophonLists: Bench }).colophonLists;
const source = `const bench = ${bench.toString()};`;

const open = async (browser: Browser): Promise<Page> => {
  const page = await (await browser.newContext({ viewport })).newPage();
  await page.addInitScript(observe);
  return page;
};

/**
 * Milliseconds until the list is drawn: `opened` from the start of its page, `back` from the press
 * of Back to the list as it was left.
 */
async function openedAndBack(page: Page, path: string): Promise<{ opened: number; back: number }> {
  await page.goto(path, { waitUntil: 'commit' });
  await page.waitForFunction('globalThis.colophonLists !== undefined');
  const opened = await page.evaluate<number>(`(async () => { ${source} return bench().painted(1); })()`);
  await page.locator('[data-flow="catalogue"][data-state*="resting"]').waitFor();
  await page.locator('[data-place] a').first().click();
  await page.locator('[data-flow="title"][data-state*="shown"]').waitFor();
  await page.waitForLoadState('networkidle');
  const back = await page.evaluate<number>(`(async () => { ${source}
    const start = performance.now();
    history.back();
    return (await bench().painted(1)) - start;
  })()`);
  return { opened, back };
}

/** When the first titles of an answer of ten thousand are painted and when it has ended, in milliseconds since it was asked for. */
async function longAnswer(page: Page, path: string): Promise<{ painted: number; ended: number }> {
  await page.route('**/api/titles?*', (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', String(count));
    return route.continue({ url: url.href });
  });
  await page.goto(path, { waitUntil: 'commit' });
  await page.waitForFunction('globalThis.colophonLists !== undefined');
  const painted = await page.evaluate<number>(`(async () => { ${source} return bench().painted(${first}); })()`);
  await page.locator('[data-flow="catalogue"][data-state*="resting"]').waitFor({ timeout: 60_000 });
  const { start, end } = await page.evaluate(() => {
    const [answer] = performance
      .getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname.endsWith('/api/titles')) as PerformanceResourceTiming[];
    return { start: answer?.startTime ?? Number.NaN, end: answer?.responseEnd ?? Number.NaN };
  });
  return { painted: painted - start, ended: end - start };
}

/** Milliseconds of each frame while the list is scrolled through, half a screen in each. */
async function scrolled(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const frames: number[] = [];
    let last = performance.now();
    for (let frame = 0; frame < 150; frame += 1) {
      scrollBy(0, 450);
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      frames.push(now - last);
      last = now;
    }
    return frames;
  });
}

/** What a long list, and the way back to one, cost a shopper; in the browser, on a store of ten thousand titles. */
export async function longListRows(browser: Browser): Promise<Row[]> {
  // A page rendered by the server brings its list along; these rows measure how a list arrives.
  const shop = await startShop({ env: { PAINT: 'off' } });
  try {
    const url = `${await addBigStore(shop, count)}/all`;
    const visits: { opened: number; back: number }[] = [];
    const answers: { painted: number; ended: number }[] = [];
    let frames: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const visitor = await open(browser);
      visits.push(await openedAndBack(visitor, url));
      await visitor.context().close();
      const reader = await open(browser);
      answers.push(await longAnswer(reader, url));
      if (run === 0) frames = await scrolled(reader);
      await reader.context().close();
    }
    frames.sort((a, b) => a - b);
    const back = median(visits.map((visit) => visit.back));
    const painted = median(answers.map((answer) => answer.painted));
    const ended = median(answers.map((answer) => answer.ended));
    return [
      { name: 'route change: a list that was left, painted again from memory', value: back, unit: 'ms' },
      // A processor decides how many milliseconds it takes.
      {
        name: 'route change: a list that was left, painted again, to the same list opened',
        value: back / median(visits.map((visit) => visit.opened)),
        unit: 'times',
        limit: 0.3,
      },
      { name: `answer of ${count} titles: first ${first} painted`, value: painted, unit: 'ms' },
      { name: `answer of ${count} titles: ended`, value: ended, unit: 'ms' },
      {
        name: `answer of ${count} titles: first ${first} painted after this part of it`,
        value: painted / ended,
        unit: 'times',
        limit: 1,
      },
      {
        name: `list of ${count} titles, scrolled: 95 of 100 frames within`,
        value: frames[Math.floor(frames.length * 0.95)] ?? Number.NaN,
        unit: 'ms',
      },
    ];
  } finally {
    await shop.remove();
  }
}
