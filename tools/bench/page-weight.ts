import type { Browser } from 'playwright-core';
import { openCompletely } from './layout-shift.ts';
import type { Row } from './rows.ts';

/**
 * Viewports of the landing page, of a phone with its device pixel ratio and of a desktop, with the
 * limit of each in KB. With covers of two sizes, the pictures alone were 188, 687, 687 and 188.
 */
const windows = [
  { width: 390, height: 844, scale: 1, limit: 300 },
  { width: 390, height: 844, scale: 2, limit: 360 },
  { width: 390, height: 844, scale: 3, limit: 430 },
  { width: 1366, height: 900, scale: 1, limit: 300 },
] as const;
type Window = (typeof windows)[number];

/** Transfer size of a first visit in KB of 1000 bytes, compressed and with headers. */
export type Weight = { total: number; pictures: number };

/** Weighs `url` with an empty cache, with everything that the page fetches without scrolling. */
export async function measureWeight(browser: Browser, url: string, { width, height, scale }: Window): Promise<Weight> {
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: scale, hasTouch: width < 500 });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const pictures = new Set<string>();
  const weight: Weight = { total: 0, pictures: 0 };
  session.on('Network.responseReceived', ({ requestId, type }) => type === 'Image' && pictures.add(requestId));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    weight.total += encodedDataLength / 1000;
    if (pictures.has(requestId)) weight.pictures += encodedDataLength / 1000;
  });
  await session.send('Network.enable');
  await openCompletely(page, url);
  await context.close();
  return weight;
}

/**
 * Measures the transfer size of the landing page by viewport. The first visit generates the covers,
 * and is not counted.
 */
export async function measurePageWeight(browser: Browser, url: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const window of windows) {
    await measureWeight(browser, url, window);
    const { total, pictures } = await measureWeight(browser, url, window);
    const label = `landing at ${window.width} px, pixel ratio ${window.scale}`;
    rows.push(
      { name: `${label}: transferred`, value: total, unit: 'KB', limit: window.limit },
      { name: `${label}: pictures alone`, value: pictures, unit: 'KB' },
    );
  }
  return rows;
}
