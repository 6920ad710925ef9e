import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { Customer } from '../browser/customer.ts';
import { zip } from '../demo/zip.ts';
import type { RunningShop } from '../shop/running-shop.ts';
import { median, type Row } from './rows.ts';

/** Bits per second and ms of a slow network. */
const NETWORK = { down: 1_600_000, up: 750_000, latency: 150 };
const ROUNDS = 3;
const CHAPTER_BYTES = 12 * 1024;
/** Books of the demo store whose chapters are replaced; the long one has some 15,000 positions. */
const BOOKS = { short: { titleId: '1001', chapters: 12 }, long: { titleId: '1002', chapters: 1_200 } };

const XHTML = 'xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"';

/** An EPUB of identical chapters, stored uncompressed, so that each byte of text is transferred. */
function createBook(chapters: number): Buffer {
  const names = Array.from({ length: chapters }, (_, nth) => `chapter-${nth + 1}.xhtml`);
  const text = `<p>${'Words of a long book. '.repeat(CHAPTER_BYTES / 22)}</p>`;
  const items = names.map((name) => `<item id="${name}" href="${name}" media-type="application/xhtml+xml"/>`);
  const links = names.map((name, nth) => `<li><a href="${name}">Chapter ${nth + 1}</a></li>`);
  const entry = (name: string, content: string) => ({ name, data: Buffer.from(content), stored: true });
  return zip([
    entry('mimetype', 'application/epub+zip'),
    entry('META-INF/container.xml', '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'),
    entry(
      'OPS/book.opf',
      `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
        <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:bench:${chapters}</dc:identifier>
          <dc:title>A long book</dc:title><dc:language>en</dc:language></metadata>
        <manifest><item id="nav" properties="nav" href="contents.xhtml" media-type="application/xhtml+xml"/>${items.join('')}</manifest>
        <spine>${names.map((name) => `<itemref idref="${name}"/>`).join('')}</spine></package>`,
    ),
    entry('OPS/contents.xhtml', `<html ${XHTML}><body><nav epub:type="toc"><ol>${links.join('')}</ol></nav></body></html>`),
    ...names.map((name) =>
      entry(`OPS/${name}`, `<html ${XHTML}><head><title>A chapter</title></head><body>${text}</body></html>`),
    ),
  ]);
}

/** Buys a title after replacing its file by a generated book. @returns the address of its viewer */
async function buyBook({ shop, customer }: BenchSetup, { titleId, chapters }: (typeof BOOKS)['long']): Promise<string> {
  const folder = join(shop.data, 'media', customer.config.storeId, titleId);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'book.epub'), createBook(chapters));
  await customer.buys(titleId);
  return `${shop.url}/viewer?instanceid=${await customer.instanceOf(titleId)}`;
}

type BenchSetup = { shop: RunningShop; customer: Customer; browser: Browser };

/** Milliseconds from the navigation to a viewer until the first page of its book can be turned. */
async function openBook(context: BrowserContext, address: string): Promise<number> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: NETWORK.latency,
    downloadThroughput: NETWORK.down / 8,
    uploadThroughput: NETWORK.up / 8,
  });
  const begun = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator('[data-flow="book"] [data-event="turn.pressed"]:enabled').first().waitFor();
  const took = performance.now() - begun;
  await page.close();
  return took;
}

/** Opens a book with an empty cache, and again with a full one. */
async function openTwice({ browser, customer }: BenchSetup, address: string): Promise<{ first: number; again: number }> {
  const context = await browser.newContext({ viewport: { width: 1366, height: 900 } });
  await customer.uses(context);
  const opened = { first: await openBook(context, address), again: await openBook(context, address) };
  await context.close();
  return opened;
}

/** Opening times of a long book on a slow network, beside those of a short one. */
export async function slowLineRows(shop: RunningShop, browser: Browser): Promise<Row[]> {
  const reading = { shop, browser, customer: await Customer.signUp(shop) };
  const [short, long] = [await buyBook(reading, BOOKS.short), await buyBook(reading, BOOKS.long)];
  const took = { short: [] as number[], long: [] as number[], again: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    took.short.push((await openTwice(reading, short)).first);
    const { first, again } = await openTwice(reading, long);
    took.long.push(first);
    took.again.push(again);
  }
  const [ofShort, ofLong] = [median(took.short), median(took.long)];
  return [
    { name: 'slow network: first page of a book of 12 chapters', value: ofShort, unit: 'ms' },
    { name: 'slow network: first page of a book of 1,200 chapters', value: ofLong, unit: 'ms' },
    { name: 'slow network: the long book as a share of the short one', value: (ofLong / ofShort) * 100, unit: '%', limit: 130 },
    { name: 'slow network: the book of 1,200 chapters opened again', value: median(took.again), unit: 'ms' },
  ];
}
