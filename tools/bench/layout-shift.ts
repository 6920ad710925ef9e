import type { Browser, BrowserContext, Page } from 'playwright-core';
import { everyAddress } from '../shop/demo-addresses.ts';
import { Customer } from '../browser/customer.ts';
import { startShop, type RunningShop } from '../shop/running-shop.ts';
import { isDrawn } from './page-load.ts';
import type { Row } from './rows.ts';

/** Widths of windows in CSS pixels, one of each layout, with their usual heights. */
export const windows = [
  { width: 1366, height: 900 },
  { width: 900, height: 1100 },
  { width: 390, height: 844 },
] as const;
type Window = (typeof windows)[number];

/** What moved on a page by itself: the sum of the browser's layout shifts, and the elements that they name. */
export type Shifts = { total: number; moved: string[] };

/** Round trips take a while, as on a network, so that whatever is shown meanwhile has been drawn. */
const latency = 200;

/** Pages that are open at once: each spends most of its time waiting. */
const atOnce = 3;

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

/** Runs in the page: the frame comes at a sign of life. This one is no input, after which the browser forgives shifts. */
function giveSign(): void {
  dispatchEvent(new Event('scroll'));
}

/** Runs in the page: whether the frame has come, and for a while nothing more. */
function isQuiet(): boolean {
  const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const last = Math.max(0, ...resources.map(({ responseEnd }) => responseEnd));
  return resources.some(({ name }) => /\/frame-chunk-/.test(name)) && performance.now() - last > 600;
}

/** Waits until all of a page is there, its frame too, and nothing more comes. */
export async function untilWhole(page: Page): Promise<void> {
  await page.waitForFunction(isDrawn);
  await page.evaluate(giveSign);
  await page.waitForFunction(isQuiet);
  await page.waitForFunction(isDrawn);
}

/** Opens an address and waits until nothing more comes. */
export async function openWhole(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await untilWhole(page);
}

/** What has moved by itself in a page that notes it. */
export const shiftsIn = (page: Page): Promise<Shifts> =>
  page.evaluate(() => (globalThis as unknown as { colophonShifts: Shifts }).colophonShifts);

/** What moves by itself at an address. */
export async function shiftsAt(page: Page, url: string): Promise<Shifts> {
  await openWhole(page, url);
  return shiftsIn(page);
}

/** Lets a page note its layout shifts from now on. */
export const noteShifts = async (page: Page): Promise<void> => void (await page.addInitScript(observeShifts));

/** A page that notes its layout shifts, over a network of some latency. */
export async function shiftPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await noteShifts(page);
  return page;
}

type Visit = { path: string; window: Window; asCustomer: boolean };
export type Shifted = Visit & Shifts;

/** Every address at every width: as a visitor, and as a customer where visitors are sent to sign in, and at the shop's front. */
const visits: Visit[] = windows.flatMap((window) =>
  everyAddress.flatMap(({ path, login = false }) => [
    { path, window, asCustomer: login },
    ...(path === '/' || path === '/all' ? [{ path, window, asCustomer: true }] : []),
  ]),
);

/** What shifts at any address, the worst first. */
export async function shiftsEverywhere(browser: Browser, shop: RunningShop): Promise<Shifted[]> {
  const customer = await Customer.signUp(shop);
  const transId = await customer.buys('1001');
  const instance = await customer.instanceOf('1001');
  const found: Shifted[] = [];
  const left = [...visits];
  const walk = async (): Promise<void> => {
    for (let visit = left.shift(); visit !== undefined; visit = left.shift()) {
      const context = await browser.newContext({ viewport: visit.window, hasTouch: visit.window.width < 500 });
      if (visit.asCustomer) await customer.uses(context);
      const path = visit.path.replace(/(?<=transId=)t1$/, transId).replace(/(?<=instanceid=)i1$/, instance);
      const shifts = await shiftsAt(await shiftPage(context), `${shop.url}${path}`);
      found.push({ ...visit, path, ...shifts });
      await context.close();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, walk));
  return found.toSorted((a, b) => b.total - a.total);
}

const worstRow = ({ width }: Window, found: Shifted[]): Row => {
  const [worst] = found.filter(({ window }) => window.width === width);
  const where = worst === undefined || worst.total === 0 ? '' : ` (${worst.path})`;
  return { name: `every address at ${width} px: layout shift${where}`, value: worst?.total ?? NaN, unit: '', limit: 0 };
};

/** The worst layout shift at each width; none is allowed. Each page that can be comes painted, however busy the machine is. */
export async function shiftRows(browser: Browser): Promise<Row[]> {
  const shop = await startShop({ env: { PAINT: 'always' } });
  try {
    const found = await shiftsEverywhere(browser, shop);
    return windows.map((window) => worstRow(window, found));
  } finally {
    await shop.remove();
  }
}
