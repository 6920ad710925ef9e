import type { Browser, BrowserContext, Page } from 'playwright-core';
import { demoAddresses } from '../shop/demo-addresses.ts';
import { Customer } from '../browser/customer.ts';
import { startShop, type RunningShop } from '../shop/running-shop.ts';
import { isDrawn } from './page-load.ts';
import type { Row } from './rows.ts';

/** Viewport sizes in CSS pixels, one per layout, with usual heights. */
export const windows = [
  { width: 1366, height: 900 },
  { width: 900, height: 1100 },
  { width: 390, height: 844 },
] as const;
type Window = (typeof windows)[number];

/**
 * Layout shifts of a page without user input: the browser's total score, and the elements it names.
 */
export type Shifts = { total: number; moved: string[] };

/**
 * Delay of each request in ms, as on a network: intermediate screens are drawn before the next
 * response.
 */
const latency = 200;

/** Pages that are open at once: each spends most of its time waiting. */
const PARALLEL_PAGES = 3;

// Runs in the page before its own scripts.
function observeShifts(): void {
  const seen: Shifts = { total: 0, moved: [] };
  Object.assign(globalThis, { colophonShifts: seen });
  const nameOf = ({ node, previousRect: from, currentRect: to }: LayoutShiftAttribution): string => {
    const element = node instanceof Element ? node : node?.parentElement;
    const text = (element?.textContent ?? '').replaceAll(/\s+/g, ' ').slice(0, 40);
    const sizeOf = (rect: DOMRectReadOnly): string => [rect.x, rect.y, rect.width, rect.height].map(Math.round).join(' ');
    return `<${element?.localName ?? '?'}> “${text}” from ${sizeOf(from)} to ${sizeOf(to)}`;
  };
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries() as LayoutShift[]) {
      if (shift.hadRecentInput) continue;
      seen.total += shift.value;
      seen.moved.push(...shift.sources.map(nameOf));
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

interface LayoutShiftAttribution {
  node?: Node | null;
  previousRect: DOMRectReadOnly;
  currentRect: DOMRectReadOnly;
}
interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: LayoutShiftAttribution[];
}

/**
 * Runs in the page: the frame loads at the first user activity. A scroll event does not count as
 * input, after which the browser would ignore layout shifts.
 */
function wakeDeferredParts(): void {
  dispatchEvent(new Event('scroll'));
}

/**
 * Runs in the page: whether the frame has loaded and nothing has been fetched since for a while.
 */
function isNetworkQuiet(): boolean {
  const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const last = Math.max(0, ...resources.map(({ responseEnd }) => responseEnd));
  return resources.some(({ name }) => /\/frame-chunk-/.test(name)) && performance.now() - last > 600;
}

/** Waits until a page has loaded completely, its frame included, and fetches nothing more. */
export async function waitUntilComplete(page: Page): Promise<void> {
  await page.waitForFunction(isDrawn);
  await page.evaluate(wakeDeferredParts);
  await page.waitForFunction(isNetworkQuiet);
  await page.waitForFunction(isDrawn);
}

/** Opens an address and waits until the page fetches nothing more. */
export async function openCompletely(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await waitUntilComplete(page);
}

/** The layout shifts of a page that records them. */
export const readShifts = (page: Page): Promise<Shifts> =>
  page.evaluate(() => (globalThis as unknown as { colophonShifts: Shifts }).colophonShifts);

/** The layout shifts at an address. */
export async function measureShifts(page: Page, url: string): Promise<Shifts> {
  await openCompletely(page, url);
  return readShifts(page);
}

/** Makes a page record its layout shifts from now on. */
export const recordShifts = async (page: Page): Promise<void> => void (await page.addInitScript(observeShifts));

/** A page that records its layout shifts, over a network with some latency. */
export async function createShiftPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await recordShifts(page);
  return page;
}

type Visit = { path: string; window: Window; asCustomer: boolean };
export type PageShift = Visit & Shifts;

/**
 * Every address at every width: as a visitor, or as a customer where visitors are sent to sign in;
 * and the shop's home page.
 */
const visits: Visit[] = windows.flatMap((window) =>
  demoAddresses.flatMap(({ path, login = false }) => [
    { path, window, asCustomer: login },
    ...(path === '/' || path === '/all' ? [{ path, window, asCustomer: true }] : []),
  ]),
);

/** Layout shifts at all addresses, the worst first. */
export async function measureAllPages(browser: Browser, shop: RunningShop): Promise<PageShift[]> {
  const customer = await Customer.signUp(shop);
  const transId = await customer.buys('1001');
  const instance = await customer.instanceOf('1001');
  const found: PageShift[] = [];
  const left = [...visits];
  const walk = async (): Promise<void> => {
    for (let visit = left.shift(); visit !== undefined; visit = left.shift()) {
      const context = await browser.newContext({ viewport: visit.window, hasTouch: visit.window.width < 500 });
      if (visit.asCustomer) await customer.uses(context);
      const path = visit.path.replace(/(?<=transId=)t1$/, transId).replace(/(?<=instanceid=)i1$/, instance);
      const shifts = await measureShifts(await createShiftPage(context), `${shop.url}${path}`);
      found.push({ ...visit, path, ...shifts });
      await context.close();
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_PAGES }, walk));
  return found.toSorted((a, b) => b.total - a.total);
}

const worstRow = ({ width }: Window, found: PageShift[]): Row => {
  const [worst] = found.filter(({ window }) => window.width === width);
  const where = worst === undefined || worst.total === 0 ? '' : ` (${worst.path})`;
  return { name: `every address at ${width} px: layout shift${where}`, value: worst?.total ?? NaN, unit: '', limit: 0 };
};

/**
 * The worst layout shift at each width; none is allowed. Every page that can be server-rendered is,
 * however busy the machine is.
 */
export async function shiftRows(browser: Browser): Promise<Row[]> {
  const shop = await startShop({ env: { SSR_MODE: 'always' } });
  try {
    const found = await measureAllPages(browser, shop);
    return windows.map((window) => worstRow(window, found));
  } finally {
    await shop.remove();
  }
}
