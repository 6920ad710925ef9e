import type { BrowserContext } from '@playwright/test';
import { zip, type ZipPart } from '../../../server/publication/support/zip.ts';
import type { BookDriver } from './fixtures.ts';

/** A file of the package; `name` is its address there, `file` its archive name if that differs. */
type ArchiveItem = {
  name: string;
  content: string | Buffer;
  type?: string;
  properties?: string;
  file?: string | Buffer;
  fallback?: number;
};

const XHTML = 'application/xhtml+xml';

/** A page with this content in its body. */
export const pageXhtml = (body: string, head = ''): string =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title>${head}</head><body>${body}</body></html>`;

/** A square in one colour. */
export const pictureItem: ArchiveItem = {
  name: 'p.png',
  type: 'image/png',
  content: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
};

/** An EPUB of these pages and other files; `statedSize`: the unpacked size that pages state. */
export const createArchive = (
  pages: readonly ArchiveItem[],
  others: readonly ArchiveItem[] = [],
  statedSize?: number,
): Buffer => {
  const items = [...pages, ...others].map(({ name, type = XHTML, properties = '', fallback }, nth) => {
    const more = fallback === undefined ? '' : ` fallback="i${fallback}"`;
    return `<item id="i${nth}" href="${name}" media-type="${type}" properties="${properties}"${more}/>`;
  });
  const files = [...pages, ...others].map(({ name, content, file }, nth): ZipPart => {
    const stated = nth < pages.length && statedSize !== undefined ? { statedSize } : {};
    return { name: file ?? name, content, ...stated };
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

/** Opens a book that is served as these bytes, and waits until it shows or fails. */
export const openArchive = async (book: BookDriver, body: Buffer | string, address = '/small?signature=1') => {
  const { page: shop } = book;
  await shop.route(`**${address}`, (route) => route.fulfill({ body, contentType: 'application/epub+zip' }));
  await shop.evaluate((at) => {
    const look = { fontScale: 1, theme: 'light' } as const;
    window.reader.openBook({ medium: 'epub', url: location.origin + at, start: null, look });
  }, address);
  await shop.waitForFunction(() => window.reader.facts.some(({ type }) => type === 'book.failed' || type === 'book.moved'));
  return book.facts();
};

/** The page that the reader shows; an earlier one may still be there. */
export const getShownPage = (book: BookDriver) => {
  const frame = book.page.frames().findLast((each) => each.parentFrame() !== null);
  if (frame === undefined) throw new Error('the reader shows no page');
  return frame;
};

/** The requests to `http://elsewhere.test` from now on. */
export const watchExternalRequests = async (context: BrowserContext): Promise<string[]> => {
  const asked: string[] = [];
  await context.route('http://elsewhere.test/**', (route) => {
    asked.push(route.request().url());
    return route.fulfill({ body: 'Elsewhere' });
  });
  return asked;
};

/** Removes the policy of the page around the book, which other servers may lack. */
export const removePolicy = async ({ page: shop, server }: BookDriver): Promise<void> => {
  for (const address of [server.blobPolicyUrl, `${server.url}/`])
    await shop.route(address, async (route) => {
      const response = await route.fetch();
      const { 'content-security-policy': _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
};
