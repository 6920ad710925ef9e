import { isUtf8 } from 'node:buffer';

const XML_DECLARATION = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)/;
const META_CHARSET = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i;
/** How far in, in bytes, browsers look for what a page says of its encoding. */
const HEAD = 1024;

/**
 * The text of a document's bytes, its byte-order mark kept. EPUB asks for UTF-8 or UTF-16; old books are in others and say
 * in which, or in none and are from the west. `asHtml` believes a `<meta>` too, as browsers do in pages that are not XML;
 * in others it is believed where UTF-8 cannot be.
 */
export function decodeText(bytes: Uint8Array, { asHtml = false } = {}): string {
  return new TextDecoder(encodingOf(bytes, asHtml), { ignoreBOM: true }).decode(bytes);
}

function encodingOf(bytes: Uint8Array, asHtml: boolean): string {
  const head = Buffer.from(bytes.subarray(0, HEAD)).toString('latin1');
  if (head.startsWith('\xff\xfe') || head.startsWith('<\0?\0')) return 'utf-16le';
  if (head.startsWith('\xfe\xff') || head.startsWith('\0<\0?')) return 'utf-16be';
  if (head.startsWith('\xef\xbb\xbf')) return 'utf-8';
  const valid = isUtf8(bytes);
  const stated = XML_DECLARATION.exec(head) ?? (asHtml || !valid ? META_CHARSET.exec(head) : null);
  return knownEncoding(stated?.[1] ?? (valid ? 'utf-8' : 'windows-1252'));
}

/** UTF-8 for what is not known, and for UTF-16: a declaration that could be read as ASCII is not in it. */
function knownEncoding(label: string): string {
  try {
    const { encoding } = new TextDecoder(label);
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
  } catch {
    return 'utf-8';
  }
}
