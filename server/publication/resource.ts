import { Readable } from 'node:stream';
import { toHref } from './book-path.ts';
import { readRange, type ByteRange } from './byte-range.ts';
import { assertReadable } from './broken-publication.ts';
import { createMask, unmask } from './obfuscation.ts';
import { getEntryType, type Publication } from './publication.ts';
import type { ZipEntry } from './zip-directory.ts';

/**
 * Content to send. `size` is that of the whole, in bytes; `range` is null when all of it is sent.
 */
export type Resource = { type: string; etag: string; size: number; range: ByteRange | null; body: Readable | Buffer };
export type Unsatisfiable = { unsatisfiable: true; size: number };

/**
 * Maximum bytes of an entry that is checked before its first byte is sent, so that damage results
 * in an error answer. Ranges and obfuscated fonts are streamed unchecked.
 */
const MAX_CHECKED_BYTES = 2 * 2 ** 20;
const PICTURE_PAGE_PREFIX = '~page/';

/**
 * Reads one file of the book; `name` is its entry's name, or `~page/` and a picture's name for a
 * page that shows it. `null` when it is missing. Throws BrokenPublication when the entry is damaged
 * or protected, or a page is hostile.
 */
export async function readResource(
  publication: Publication,
  name: string,
  rangeHeader?: string,
): Promise<Resource | Unsatisfiable | null> {
  if (name.startsWith(PICTURE_PAGE_PREFIX)) return createPicturePage(publication, name.slice(PICTURE_PAGE_PREFIX.length));
  const entry = publication.archive.entry(name);
  if (entry === undefined) return null;
  const type = getEntryType(publication, entry.name);
  const isPage = /html|xml/.test(type);
  // A page is checked and sent as a whole.
  const range = isPage ? null : readRange(rangeHeader, entry.size);
  if (range === 'unsatisfiable') return { unsatisfiable: true, size: entry.size };
  const algorithm = publication.encryption.get(entry.name);
  const resourceFields = { type, etag: toEtag(entry), size: entry.size, range };
  if (algorithm !== undefined) {
    assertReadable(!isPage, `the page ${entry.name} is protected by ${algorithm} and cannot be opened here`, 'book_protected');
    const chunks = await publication.archive.openStream(entry, range ?? undefined);
    const plain = unmask(chunks, createMask(algorithm, publication.uniqueId), range?.start ?? 0);
    return { ...resourceFields, body: Readable.from(plain, { objectMode: false }) };
  }
  if (isPage) return readPageResource(publication, entry);
  return { ...resourceFields, body: await readContent(publication, entry, range) };
}

async function readContent({ archive }: Publication, entry: ZipEntry, range: ByteRange | null): Promise<Buffer | Readable> {
  const isStreamed = range !== null || entry.size > MAX_CHECKED_BYTES;
  return isStreamed ? archive.openStream(entry, range ?? undefined) : archive.readBytes(entry);
}

const toEtag = ({ crc, size }: ZipEntry): string => `"${crc.toString(16)}-${size.toString(16)}"`;

async function readPageResource(publication: Publication, entry: ZipEntry): Promise<Resource> {
  const { type, etag, body } = await publication.page(entry);
  const changedBody = body === null ? null : Buffer.from(body.buffer, body.byteOffset, body.length);
  const sentBody = changedBody ?? (await readContent(publication, entry, null));
  return { type, etag, size: changedBody?.length ?? entry.size, range: null, body: sentBody };
}

/** A page around a picture in the spine, since the reader lays out documents with a body. */
function createPicturePage(publication: Publication, name: string): Resource | null {
  const entry = publication.archive.entry(name);
  if (entry === undefined || !getEntryType(publication, entry.name).startsWith('image/')) return null;
  const rootPrefix = '../'.repeat(entry.name.split('/').length);
  const address = `${rootPrefix}${toHref({ path: entry.name, fragment: '' })}`;
  const body = Buffer.from(
    '<html xmlns="http://www.w3.org/1999/xhtml"><head><title></title></head>' +
      `<body style="margin:0;text-align:center"><img src="${address}" alt="" style="max-width:100%;vertical-align:top"/></body></html>`,
  );
  return { type: 'application/xhtml+xml', etag: toEtag(entry), size: body.length, range: null, body };
}
