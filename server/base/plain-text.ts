const LONGEST_SOURCE = 20_000;
const LONGEST = 200;

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

const decoded = (text: string): string =>
  text.replaceAll(/&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,6});/gi, (entity, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? entity;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff) ? String.fromCodePoint(code) : entity;
  });

/** Text cut at the end of a word, with an ellipsis where something is missing. */
function shortened(text: string, longest: number): string {
  const letters = Array.from(text);
  if (letters.length <= longest) return text;
  const cut = letters.slice(0, longest - 1).join('');
  const blank = cut.lastIndexOf(' ');
  return `${(blank > longest / 2 ? cut.slice(0, blank) : cut).trimEnd()}…`;
}

/** The first words of a document of HTML, as plain text of at most so many letters. It is text, not safe markup: escape it. */
export function plainText(html: string, longest = LONGEST): string {
  const text = html
    .slice(0, LONGEST_SOURCE)
    .replaceAll(/<(script|style|template)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replaceAll(/<h[1-6]\b[^<>]*>[^<]*<\/h[1-6]\s*>/gi, ' ')
    .replaceAll(/<[^<>]*>/g, ' ');
  return shortened(decoded(text).replaceAll(/\s+/g, ' ').trim(), longest);
}
