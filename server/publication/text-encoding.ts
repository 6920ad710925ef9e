import { isUtf8 } from 'node:buffer';

const XML_DECLARATION = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)/;
const META_CHARSET = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i;
/** Bytes in which browsers search a page for its declared encoding. */
const SNIFFED_BYTES = 1024;

/**
 * Decodes a document's bytes, and keeps its byte-order mark. EPUB requires UTF-8 or UTF-16; old
 * books use other encodings and declare them, or declare none and are in Western ones. `asHtml`
 * also trusts a `<meta>`, as browsers do in pages that are not XML; in other pages it is trusted
 * only where UTF-8 is impossible.
 */
export function decodeText(bytes: Uint8Array, { asHtml = false } = {}): string {
  return new TextDecoder(detectEncoding(bytes, asHtml), { ignoreBOM: true }).decode(bytes);
}

function detectEncoding(bytes: Uint8Array, asHtml: boolean): string {
  const head = Buffer.from(bytes.subarray(0, SNIFFED_BYTES)).toString('latin1');
  if (head.startsWith('\xff\xfe') || head.startsWith('<\0?\0')) return 'utf-16le';
  if (head.startsWith('\xfe\xff') || head.startsWith('\0<\0?')) return 'utf-16be';
  if (head.startsWith('\xef\xbb\xbf')) return 'utf-8';
  const isValidUtf8 = isUtf8(bytes);
  const declared = XML_DECLARATION.exec(head) ?? (asHtml || !isValidUtf8 ? META_CHARSET.exec(head) : null);
  return toKnownEncoding(declared?.[1] ?? (isValidUtf8 ? 'utf-8' : 'windows-1252'));
}

/**
 * The encoding of a label; UTF-8 for unknown labels, and for UTF-16, since a declaration that is
 * readable as ASCII is not in UTF-16.
 */
function toKnownEncoding(label: string): string {
  try {
    const { encoding } = new TextDecoder(label);
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
  } catch {
    return 'utf-8';
  }
}
