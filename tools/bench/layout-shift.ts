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
  const shifts: Shifts = { total: 0, moved: [] };
  Object.assign(globalThis, { colophonShifts: shifts });
  const describeSource = ({ node, previousRect, currentRect }: LayoutShiftAttribution): string => {
    const element = node instanceof Element ? node : node?.parentElement;
    const text = (element?.textContent ?? '').replaceAll(/\s+/g, ' ').slice(0, 40);
    const formatRect = (rect: DOMRectReadOnly): string => [rect.x, rect.y, rect.width, rect.height].map(Math.round).join(' ');
    return `<${element?.localName ?? '?'}> “${text}” from ${formatRect(previousRect)} to ${formatRect(currentRect)}`;
  };
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries() as LayoutShift[]) {
      if (shift.hadRecentInput) continue;
      shifts.total += shift.value;
      shifts.moved.push(...shift.sources.map(describeSource));
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
 * Runs in the page: makes the frame load, as the first user activity does. A scroll event does not
 * count as input, after which the browser would ignore layout shifts.
 */
function wakeDeferredParts(): void {
  dispatchEvent(new Event('scroll'));
}

/**
 * Runs in the page: whether the frame has loaded and nothing has been fetched since for a while.
 */
function isNetworkQuiet(): boolean {
  const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const lastResponseEnd = Math.max(0, ...resources.map(({ responseEnd }) => responseEnd));
  return resources.some(({ name }) => /\/frame-chunk-/.test(name)) && performance.now() - lastResponseEnd > 600;
}

/** Waits until a page has loaded completely, its frame included, and fetches nothing more. */
export async function waitUntilComplete(page: Page): Promise<void> {
  await page.waitForFunction(isDrawn);
  await page.evaluate(wakeDeferredParts);
  await page.waitForFunction(isNetworkQuiet);
  await page.waitForFunction(isDrawn);
}

/** Opens a URL and waits until the page fetches nothing more. */
export async function openCompletely(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await waitUntilComplete(page);
}

/** The layout shifts of a page that records them. */
export const readShifts = (page: Page): Promise<Shifts> =>
  page.evaluate(() => (globalThis as unknown as { colophonShifts: Shifts }).colophonShifts);

/** Opens a URL and returns the layout shifts of its page. */
export async function measureShifts(page: Page, url: string): Promise<Shifts> {
  await openCompletely(page, url);
  return readShifts(page);
}

/** Makes a page record its layout shifts from now on. */
export const recordShifts = async (page: Page): Promise<void> => void (await page.addInitScript(observeShifts));

/** Creates a page that records its layout shifts, on a network with some latency. */
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
 * the home page and the list of all titles also as a customer.
 */
const visits: Visit[] = windows.flatMap((window) =>
  demoAddresses.flatMap(({ path, login = false }) => [
    { path, window, asCustomer: login },
    ...(path === '/' || path === '/all' ? [{ path, window, asCustomer: true }] : []),
  ]),
);

/** Measures the layout shifts at all addresses. @returns them with the worst first */
export async function measureAllPages(browser: Browser, shop: RunningShop): Promise<PageShift[]> {
  const customer = await Customer.signUp(shop);
  const transId = await customer.buy('1001');
  const instance = await customer.fetchInstanceId('1001');
  const pageShifts: PageShift[] = [];
  const queue = [...visits];
  const measureQueue = async (): Promise<void> => {
    for (let visit = queue.shift(); visit !== undefined; visit = queue.shift()) {
      const context = await browser.newContext({ viewport: visit.window, hasTouch: visit.window.width < 500 });
      if (visit.asCustomer) await customer.signInBrowser(context);
      const path = visit.path.replace(/(?<=transId=)t1$/, transId).replace(/(?<=instanceid=)i1$/, instance);
      const shifts = await measureShifts(await createShiftPage(context), `${shop.url}${path}`);
      pageShifts.push({ ...visit, path, ...shifts });
      await context.close();
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_PAGES }, measureQueue));
  return pageShifts.toSorted((a, b) => b.total - a.total);
}

const toWorstRow = ({ width }: Window, pageShifts: PageShift[]): Row => {
  const [worstShift] = pageShifts.filter(({ window }) => window.width === width);
  const suffix = worstShift === undefined || worstShift.total === 0 ? '' : ` (${worstShift.path})`;
  return { name: `every address at ${width} px: layout shift${suffix}`, value: worstShift?.total ?? NaN, unit: '', limit: 0 };
};

/**
 * Measures the worst layout shift at each width; none is allowed. Every page that can be
 * server-rendered is, however busy the computer is.
 */
export async function measureLayoutShifts(browser: Browser): Promise<Row[]> {
  const shop = await startShop({ env: { SSR_MODE: 'always' } });
  try {
    const pageShifts = await measureAllPages(browser, shop);
    return windows.map((window) => toWorstRow(window, pageShifts));
  } finally {
    await shop.remove();
  }
}
