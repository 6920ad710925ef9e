import type { Browser } from 'playwright-core';
import { isDrawn } from './page-load.ts';
import type { Row } from './rows.ts';

/** Windows that the landing page is weighed in: a phone's by its pixels for each CSS pixel, and a desktop's. */
const windows = [
  { width: 390, height: 844, scale: 1 },
  { width: 390, height: 844, scale: 2 },
  { width: 390, height: 844, scale: 3 },
  { width: 1366, height: 900, scale: 1 },
] as const;
type Window = (typeof windows)[number];

/** What a first visit transfers, in KB of 1000 bytes as they come over the wire, headers included. */
export type Weight = { total: number; pictures: number };

/** Loads `url` with an empty cache until it is drawn and the network is idle; nothing is scrolled. */
export async function weightOf(browser: Browser, url: string, { width, height, scale }: Window): Promise<Weight> {
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
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.waitForFunction(isDrawn);
  await context.close();
  return weight;
}

/** What the landing page weighs, by window. The first visit makes the covers, and is not counted. */
export async function weightRows(browser: Browser, url: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const window of windows) {
    await weightOf(browser, url, window);
    const { total, pictures } = await weightOf(browser, url, window);
    const where = `landing at ${window.width} px, ${window.scale} pixels each`;
    rows.push(
      { name: `${where}: transferred`, value: total, unit: 'KB' },
      { name: `${where}: pictures of it`, value: pictures, unit: 'KB' },
    );
  }
  return rows;
}
