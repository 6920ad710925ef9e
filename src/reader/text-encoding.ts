/** Number of bytes at the start of a text in which it must declare its encoding. */
const DECLARATION_BYTES = 1024;

const matchLabel = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';

const createDecoder = (label: string): TextDecoder => {
  // A declaration that is readable byte by byte is not in UTF-16.
  if (/^utf-?16/i.test(label)) return new TextDecoder();
  try {
    return new TextDecoder(label || 'utf-8');
  } catch {
    return new TextDecoder();
  }
};

export const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};

/** UTF-16 by its byte order mark, or by the first character of a declaration; null otherwise. */
const detectUtf16 = ([first, second]: Uint8Array): string | null => {
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  return null;
};

/**
 * Decodes a text of a book in its declared encoding, else in UTF-8. The declaration is removed,
 * since it does not apply to the decoded text.
 */
export const decodeText = (bytes: Uint8Array): string => {
  const utf16Label = detectUtf16(bytes);
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES));
  const hasUtf8Mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const declaredLabel =
    matchLabel(head, /^\s*<\?xml[^>]*?encoding\s*=\s*["']([^"']+)/) || matchLabel(head, /^@charset "([^"]+)"/);
  // XML does not read `<meta>`, so pages in UTF-8 may have a wrong one unnoticed.
  const metaLabel = declaredLabel || isUtf8(bytes) ? '' : matchLabel(head, /<meta[^>]*charset\s*=\s*["']?([^\s"'/>;]+)/i);
  const decoder =
    utf16Label !== null ? new TextDecoder(utf16Label) : createDecoder(hasUtf8Mark ? 'utf-8' : declaredLabel || metaLabel);
  return decoder.decode(bytes).replace(/^\s*<\?xml\s[^>]*\?>|^@charset "[^"]*";/, '');
};
