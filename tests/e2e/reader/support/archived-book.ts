import type { BrowserContext } from '@playwright/test';
import { zip, type ZipEntryInput } from '../../../server/publication/support/zip.ts';
import type { BookDriver } from './fixtures.ts';

/**
 * A file of the package. `name` is its path in the manifest, `file` its name in the archive if that
 * differs, `fallback` the index of the item that replaces an unsupported format.
 */
type ArchiveItem = {
  name: string;
  content: string | Buffer;
  type?: string;
  properties?: string;
  file?: string | Buffer;
  fallback?: number;
};

const XHTML = 'application/xhtml+xml';

/** An XHTML document with this content in its body and head. */
export const createPageXhtml = (body: string, head = ''): string =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title>${head}</head><body>${body}</body></html>`;

/** A PNG of one pixel. */
export const pictureItem: ArchiveItem = {
  name: 'p.png',
  type: 'image/png',
  content: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
};

/**
 * An EPUB of these pages and other files. `statedSize` is the unpacked size in bytes that the
 * archive states for each page, by default the true one.
 */
export const createArchive = (
  pages: readonly ArchiveItem[],
  otherItems: readonly ArchiveItem[] = [],
  statedSize?: number,
): Buffer => {
  const items = [...pages, ...otherItems].map(({ name, type = XHTML, properties = '', fallback }, nth) => {
    const fallbackAttribute = fallback === undefined ? '' : ` fallback="i${fallback}"`;
    return `<item id="i${nth}" href="${name}" media-type="${type}" properties="${properties}"${fallbackAttribute}/>`;
  });
  const files = [...pages, ...otherItems].map(({ name, content, file }, nth): ZipEntryInput => {
    const sizeField = nth < pages.length && statedSize !== undefined ? { statedSize } : {};
    return { name: file ?? name, content, ...sizeField };
  });
  return zip([
    {
      name: 'META-INF/container.xml',
      content:
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>' +
        '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    },
    {
      name: 'book.opf',
      content: `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
        <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:test:hand</dc:identifier>
        <dc:title>A book</dc:title><dc:language>en</dc:language></metadata><manifest>${items.join('')}</manifest>
        <spine>${pages.map((_, nth) => `<itemref idref="i${nth}"/>`).join('')}</spine></package>`,
    },
    ...files,
  ]);
};

/**
 * Serves these bytes as a book and opens it. @returns its events until it is shown or has failed
 */
export const openArchive = async (book: BookDriver, body: Buffer | string, path = '/small?signature=1') => {
  const { page } = book;
  await page.route(`**${path}`, (route) => route.fulfill({ body, contentType: 'application/epub+zip' }));
  await page.evaluate((bookPath) => {
    const look = { fontScale: 1, theme: 'light' } as const;
    window.reader.openBook({ medium: 'epub', url: location.origin + bookPath, start: null, look });
  }, path);
  await page.waitForFunction(() => window.reader.facts.some(({ type }) => type === 'book.failed' || type === 'book.moved'));
  return book.readFacts();
};

/**
 * The frame of the page that the reader shows: the last one, since earlier ones may still exist.
 */
export const getShownPage = (book: BookDriver) => {
  const frame = book.page.frames().findLast((each) => each.parentFrame() !== null);
  if (frame === undefined) throw new Error('The reader shows no page: expected a frame in the document.');
  return frame;
};

/** Answers requests to `http://elsewhere.test`. @returns a list to which their URLs are added */
export const watchExternalRequests = async (context: BrowserContext): Promise<string[]> => {
  const requestedUrls: string[] = [];
  await context.route('http://elsewhere.test/**', (route) => {
    requestedUrls.push(route.request().url());
    return route.fulfill({ body: 'Elsewhere' });
  });
  return requestedUrls;
};

/**
 * Removes the Content-Security-Policy of the page around the book, as other servers may send none.
 */
export const removePolicy = async ({ page, server }: BookDriver): Promise<void> => {
  for (const url of [server.blobPolicyUrl, `${server.url}/`])
    await page.route(url, async (route) => {
      const response = await route.fetch();
      const { 'content-security-policy': _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
};
