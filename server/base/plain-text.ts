const MAX_SOURCE_CHARS = 20_000;
const MAX_TEXT_CHARS = 200;

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const decodeEntities = (text: string): string =>
  text.replaceAll(/&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,6});/gi, (entity, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? entity;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff) ? String.fromCodePoint(code) : entity;
  });

/** Cuts a text at the end of a word, with an ellipsis where text is left out. */
function shorten(text: string, maxChars: number): string {
  const letters = Array.from(text);
  if (letters.length <= maxChars) return text;
  const beginning = letters.slice(0, maxChars - 1).join('');
  const blank = beginning.lastIndexOf(' ');
  return `${(blank > maxChars / 2 ? beginning.slice(0, blank) : beginning).trimEnd()}…`;
}

/**
 * The beginning of an HTML document, without its headings, as plain text of at most `maxChars`
 * characters. The result is text, not safe markup: escape it.
 */
export function toPlainText(html: string, maxChars = MAX_TEXT_CHARS): string {
  const text = html
    .slice(0, MAX_SOURCE_CHARS)
    .replaceAll(/<(script|style|template)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replaceAll(/<h[1-6]\b[^<>]*>[^<]*<\/h[1-6]\s*>/gi, ' ')
    .replaceAll(/<[^<>]*>/g, ' ');
  return shorten(decodeEntities(text).replaceAll(/\s+/g, ' ').trim(), maxChars);
}
