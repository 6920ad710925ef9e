import { crc32 } from 'node:zlib';
import { demand } from './broken-publication.ts';
import { checkPage } from './page-check.ts';
import { decodeText } from './text-encoding.ts';
import { ZipArchive } from './zip-archive.ts';
import type { ZipEntry } from './zip-directory.ts';

/** A page of an EPUB file that has been checked, and the media type that the book gives it. */
export type PageSource = { file: string; entry: ZipEntry; type: string };

/** A page as it is sent. */
export type PreparedPage = {
  type: string;
  /** Of the bytes that are sent and of their type: a later version of the shop may send the same page in another form. */
  etag: string;
  /** Null when it is sent as it stands in the book. */
  body: Uint8Array | null;
};

/** Reads a page and prepares it; throws BrokenPublication when it is damaged too. */
export async function readPage({ file, entry, type }: PageSource): Promise<PreparedPage> {
  const archive = await ZipArchive.ofEntries(file, new Map([[entry.name, entry]]));
  try {
    return preparePage(await archive.bytes(entry), type);
  } finally {
    await archive.close();
  }
}

/** What may add elements or attributes to XML that are not written in it. */
const MAY_ADD_ELEMENTS = /<!(?:ENTITY|ATTLIST)|<\?xml-stylesheet/;

/**
 * Makes of a page (HTML or any XML, by its media type) what is sent of it: in UTF-8 whatever it was in, so that every
 * browser reads what was checked; as HTML where it would stop half-way as XHTML; and nowhere leading away by itself. Throws
 * BrokenPublication for a page of which that is not certain. A hostile one may keep its thread busy for long.
 */
export function preparePage(source: Uint8Array, mediaType: string): PreparedPage {
  const [type = ''] = mediaType.split(';', 1);
  const asXml = type === 'text/html' ? null : decodeText(source);
  const { wellFormed, mayNavigate } = asXml === null ? { wellFormed: false, mayNavigate: true } : checkPage(asXml);
  const asHtml = asXml === null || (type === 'application/xhtml+xml' && !wellFormed);
  const text = asHtml ? decodeText(source, { asHtml }) : asXml;
  demand(wellFormed || asHtml || !MAY_ADD_ELEMENTS.test(text), 'a file of the book is not written as it should be');
  const body = Buffer.from(mayNavigate ? withoutRefresh(text) : text);
  const sentType = asHtml ? 'text/html' : type;
  const etag = `"${crc32(body).toString(16)}-${body.length.toString(16)}-${sentType.split('/')[1] ?? ''}"`;
  return { type: `${sentType}; charset=utf-8`, etag, body: body.equals(source) ? null : body };
}

/** Each `\s*` stands between two that it cannot match, so that long rows of spaces take no long time. */
const HTTP_EQUIV = /http(?=-equiv\s*=(?!\s*(?:["']\s*)?content-type))/gi;

/** The text without what makes a browser go elsewhere, of the same length: `http-equiv` becomes `data-equiv`. */
const withoutRefresh = (text: string): string => text.replaceAll(HTTP_EQUIV, 'data');
