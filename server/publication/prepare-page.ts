import { crc32 } from 'node:zlib';
import { assertReadable } from './broken-publication.ts';
import { checkPage } from './page-check.ts';
import { decodeText } from './text-encoding.ts';
import { ZipArchive } from './zip-archive.ts';
import type { ZipEntry } from './zip-directory.ts';

/** A page in a checked EPUB file, with the media type that the book declares. */
export type PageSource = { file: string; entry: ZipEntry; type: string };

/** A page as it is sent. */
export type PreparedPage = {
  type: string;
  /**
   * Covers the bytes and their type: a later version of the shop may send the same page in another
   * form.
   */
  etag: string;
  /** The bytes to send; null when the page is sent unchanged. */
  body: Uint8Array | null;
};

/**
 * Reads a page and prepares it; throws BrokenPublication when it is damaged or cannot be sent
 * safely.
 */
export async function readPage({ file, entry, type }: PageSource): Promise<PreparedPage> {
  const archive = await ZipArchive.ofEntries(file, new Map([[entry.name, entry]]));
  try {
    return preparePage(await archive.readBytes(entry), type, entry.name);
  } finally {
    await archive.close();
  }
}

/** Constructs that may add unseen elements or attributes to XML. */
const MAY_ADD_ELEMENTS = /<!(?:ENTITY|ATTLIST)|<\?xml-stylesheet/;

/**
 * Converts a page (HTML or any XML, by its media type) to the form that is sent: in UTF-8, so that
 * every browser reads what was checked; as HTML where it would break as XHTML; and without
 * automatic navigation. Throws BrokenPublication for a page where that cannot be guaranteed. A
 * hostile page may keep its thread busy for long.
 */
export function preparePage(source: Uint8Array, mediaType: string, documentName = 'the page'): PreparedPage {
  const [type = ''] = mediaType.split(';', 1);
  const xmlText = type === 'text/html' ? null : decodeText(source);
  const { wellFormed, mayNavigate } = xmlText === null ? { wellFormed: false, mayNavigate: true } : checkPage(xmlText);
  const asHtml = xmlText === null || (type === 'application/xhtml+xml' && !wellFormed);
  const text = asHtml ? decodeText(source, { asHtml }) : xmlText;
  assertReadable(
    wellFormed || asHtml || !MAY_ADD_ELEMENTS.test(text),
    `${documentName} is not well-formed and declares entities, attributes or a stylesheet: expected only one of the two`,
  );
  const body = Buffer.from(mayNavigate ? disableRefresh(text) : text);
  const sentType = asHtml ? 'text/html' : type;
  const etag = `"${crc32(body).toString(16)}-${body.length.toString(16)}-${sentType.split('/')[1] ?? ''}"`;
  return { type: `${sentType}; charset=utf-8`, etag, body: body.equals(source) ? null : body };
}

/**
 * The `http` of an `http-equiv` other than content-type. The characters around each `\s*` exclude
 * spaces, so that long runs of spaces do not cause backtracking.
 */
const HTTP_EQUIV = /http(?=-equiv\s*=(?!\s*(?:["']\s*)?content-type))/gi;

/** The text without automatic navigation, of the same length: `http-equiv` becomes `data-equiv`. */
const disableRefresh = (text: string): string => text.replaceAll(HTTP_EQUIV, 'data');
