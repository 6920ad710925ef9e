import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { Customer } from '../browser/customer.ts';
import { zip } from '../demo/zip.ts';
import type { RunningShop } from '../shop/running-shop.ts';
import { computeMedian, type Row } from './rows.ts';

/** Bits per second and ms of a slow network. */
const NETWORK = { down: 1_600_000, up: 750_000, latency: 150 };
const ROUNDS = 3;
const CHAPTER_BYTES = 12 * 1024;
/** Books of the demo store whose chapters are replaced; the long one has some 15,000 positions. */
const BOOKS = { short: { titleId: '1001', chapters: 12 }, long: { titleId: '1002', chapters: 1_200 } };

const XHTML = 'xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"';

/** An EPUB of identical chapters, stored uncompressed, so that each byte of text is transferred. */
function createBook(chapters: number): Buffer {
  const names = Array.from({ length: chapters }, (_, index) => `chapter-${index + 1}.xhtml`);
  const text = `<p>${'Words of a long book. '.repeat(CHAPTER_BYTES / 22)}</p>`;
  const items = names.map((name) => `<item id="${name}" href="${name}" media-type="application/xhtml+xml"/>`);
  const links = names.map((name, index) => `<li><a href="${name}">Chapter ${index + 1}</a></li>`);
  const toZipEntry = (name: string, content: string) => ({ name, data: Buffer.from(content), stored: true });
  return zip([
    toZipEntry('mimetype', 'application/epub+zip'),
    toZipEntry('META-INF/container.xml', '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'),
    toZipEntry(
      'OPS/book.opf',
      `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
        <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:bench:${chapters}</dc:identifier>
          <dc:title>A long book</dc:title><dc:language>en</dc:language></metadata>
        <manifest><item id="nav" properties="nav" href="contents.xhtml" media-type="application/xhtml+xml"/>${items.join('')}</manifest>
        <spine>${names.map((name) => `<itemref idref="${name}"/>`).join('')}</spine></package>`,
    ),
    toZipEntry('OPS/contents.xhtml', `<html ${XHTML}><body><nav epub:type="toc"><ol>${links.join('')}</ol></nav></body></html>`),
    ...names.map((name) =>
      toZipEntry(`OPS/${name}`, `<html ${XHTML}><head><title>A chapter</title></head><body>${text}</body></html>`),
    ),
  ]);
}

/** Buys a title after replacing its file by a generated book. @returns the URL of its viewer */
async function buyBook({ shop, customer }: BenchSetup, { titleId, chapters }: (typeof BOOKS)['long']): Promise<string> {
  const folder = join(shop.data, 'media', customer.config.storeId, titleId);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'book.epub'), createBook(chapters));
  await customer.buy(titleId);
  return `${shop.url}/viewer?instanceid=${await customer.fetchInstanceId(titleId)}`;
}

type BenchSetup = { shop: RunningShop; customer: Customer; browser: Browser };

/**
 * Opens a book's viewer.
 * @returns milliseconds from the navigation until the first page can be turned
 */
async function openBook(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: NETWORK.latency,
    downloadThroughput: NETWORK.down / 8,
    uploadThroughput: NETWORK.up / 8,
  });
  const startedAt = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator('[data-flow="book"] [data-event="turn.pressed"]:enabled').first().waitFor();
  const ms = performance.now() - startedAt;
  await page.close();
  return ms;
}

/** Opens a book with an empty cache, and again with a full one. @returns milliseconds */
async function openTwice({ browser, customer }: BenchSetup, url: string): Promise<{ first: number; cached: number }> {
  const context = await browser.newContext({ viewport: { width: 1366, height: 900 } });
  await customer.signInBrowser(context);
  const times = { first: await openBook(context, url), cached: await openBook(context, url) };
  await context.close();
  return times;
}

/** Measures how long a long and a short book take to open on a slow network. */
export async function measureSlowNetwork(shop: RunningShop, browser: Browser): Promise<Row[]> {
  const setup = { shop, browser, customer: await Customer.signUp(shop) };
  const [shortUrl, longUrl] = [await buyBook(setup, BOOKS.short), await buyBook(setup, BOOKS.long)];
  const times = { short: [] as number[], long: [] as number[], cached: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.short.push((await openTwice(setup, shortUrl)).first);
    const { first, cached } = await openTwice(setup, longUrl);
    times.long.push(first);
    times.cached.push(cached);
  }
  const [shortMs, longMs] = [computeMedian(times.short), computeMedian(times.long)];
  return [
    { name: 'slow network: first page of a book of 12 chapters', value: shortMs, unit: 'ms' },
    { name: 'slow network: first page of a book of 1,200 chapters', value: longMs, unit: 'ms' },
    { name: 'slow network: the long book as a share of the short one', value: (longMs / shortMs) * 100, unit: '%', limit: 130 },
    { name: 'slow network: the book of 1,200 chapters opened again', value: computeMedian(times.cached), unit: 'ms' },
  ];
}
