import { Readable } from 'node:stream';
import { hrefOf } from './book-path.ts';
import { readRange, type ByteRange } from './byte-range.ts';
import { demand } from './broken-publication.ts';
import { maskOf, unmask } from './obfuscation.ts';
import { staying } from './page-check.ts';
import { entryType, type Publication } from './publication.ts';
import type { ZipEntry } from './zip-directory.ts';

/** Something to send. `size` is that of the whole, in bytes; `range` is null when all of it is sent. */
export type Resource = { type: string; etag: string; size: number; range: ByteRange | null; body: Readable | Buffer };
export type Unsatisfiable = { unsatisfiable: true; size: number };

/** Below this a whole entry is read and checked before the first byte is sent, so that damage becomes an error answer. */
const CHECKED_BYTES = 2 * 2 ** 20;
const PICTURE_PAGE = '~page/';

/**
 * One file of the book; `name` is its entry's name, or `~page/` and a picture's for a page that shows it. `null` when
 * there is none. Throws BrokenPublication when the entry is damaged or protected.
 */
export async function resource(
  publication: Publication,
  name: string,
  rangeHeader?: string,
): Promise<Resource | Unsatisfiable | null> {
  if (name.startsWith(PICTURE_PAGE)) return picturePage(publication, name.slice(PICTURE_PAGE.length));
  const entry = publication.archive.entry(name);
  if (entry === undefined) return null;
  const type = entryType(publication, entry.name);
  const isPage = /html|xml/.test(type);
  // A page is checked as a whole, and sent so.
  const range = isPage ? null : readRange(rangeHeader, entry.size);
  if (range === 'unsatisfiable') return { unsatisfiable: true, size: entry.size };
  const mask = publication.encryption.get(entry.name);
  const about = { type, etag: etagOf(entry), size: entry.size, range };
  if (mask !== undefined) {
    demand(!isPage, 'the book is protected and cannot be opened here', 'book_protected');
    const chunks = await publication.archive.stream(entry, range ?? undefined);
    const plain = unmask(chunks, maskOf(mask, publication.uniqueId), range?.start ?? 0);
    return { ...about, body: Readable.from(plain, { objectMode: false }) };
  }
  if (isPage) return { ...about, ...(await page(publication, entry, type)) };
  if (range !== null || entry.size > CHECKED_BYTES) {
    return { ...about, body: await publication.archive.stream(entry, range ?? undefined) };
  }
  return { ...about, body: await publication.archive.bytes(entry) };
}

const etagOf = ({ crc, size }: ZipEntry): string => `"${crc.toString(16)}-${size.toString(16)}"`;

/**
 * A page as it is sent. One that is not well-formed would stop half-way as XHTML; as HTML every browser shows it. None
 * leads away by itself.
 */
async function page(publication: Publication, entry: ZipEntry, type: string): Promise<Pick<Resource, 'type' | 'body'>> {
  const body = await publication.archive.bytes(entry);
  const { wellFormed, mayNavigate } = await publication.checkPage(entry.name, body);
  return {
    type: type.startsWith('application/xhtml+xml') && !wellFormed ? 'text/html' : type,
    body: mayNavigate || type.startsWith('text/html') ? staying(body) : body,
  };
}

/** A page around a picture that stands in the spine by itself, since pages are laid out from documents with a body. */
function picturePage(publication: Publication, name: string): Resource | null {
  const entry = publication.archive.entry(name);
  if (entry === undefined || !entryType(publication, entry.name).startsWith('image/')) return null;
  const up = '../'.repeat(entry.name.split('/').length);
  const address = `${up}${hrefOf({ path: entry.name, fragment: '' })}`;
  const body = Buffer.from(
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title></title></head>' +
      `<body style="margin:0;text-align:center"><img src="${address}" alt="" style="max-width:100%;vertical-align:top"/></body></html>`,
  );
  return { type: 'application/xhtml+xml', etag: etagOf(entry), size: body.length, range: null, body };
}
