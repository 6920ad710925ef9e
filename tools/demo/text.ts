/** Words that begin with an apostrophe: 'tis, 'em, '98. */
const shortenedWordPattern = /^(?:tis|twas|em|til|cause|n|\d\ds?)\b/i;

/**
 * Replaces straight quotes and apostrophes by typographic ones for English; French, Spanish and
 * Italian texts already have their own quotes, and need only apostrophes.
 */
export function typeset(text: string): string {
  return text.replace(/["']/g, (mark, index: number) => {
    const previousChar = text[index - 1];
    const nextChar = text[index + 1];
    const isOpening =
      (previousChar === undefined || /[\s([{—–“‘*_"]/.test(previousChar)) &&
      nextChar !== undefined &&
      !/[\s.,;:!?)\]]/.test(nextChar);
    if (mark === '"') return isOpening ? '“' : '”';
    return isOpening && !shortenedWordPattern.test(text.slice(index + 1)) ? '‘' : '’';
  });
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for XML and HTML, in elements and in double-quoted attributes. */
export const escapeText = (text: string): string => text.replace(/[&<>"]/g, (char) => entities[char] ?? char);

/** Converts a picture's name (`plate:NAME`) and its alternative text to XHTML. */
type PictureWriter = (name: string, alt: string) => string;

function formatInline(text: string): string {
  return escapeText(typeset(text))
    .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replace(/\*(.+?)\*/g, '<em>$1</em>')
    .replace(/(^|[\s(“])_(.+?)_(?=$|[\s.,;:!?)”])/g, '$1<em>$2</em>')
    .replace(/\[([^\]]+)\]\((https?:[^)]+)\)/g, '<a href="$2">$1</a>')
    .replace(/ {2}\n|\\\n/g, '<br/>\n');
}

function formatList(block: string, tag: 'ul' | 'ol'): string {
  const items = block.split(/\n(?=\s*(?:[-*+]|\d+[.)])\s)/).map((item) => item.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, ''));
  return `<${tag}>\n${items.map((item) => `<li>${formatInline(item.replace(/\n\s*/g, ' '))}</li>`).join('\n')}\n</${tag}>`;
}

function formatTable(block: string): string {
  const rows = block
    .split('\n')
    .filter((row) => !/^\|[\s:|-]+\|$/.test(row))
    .map((row) =>
      row
        .replace(/^\||\|$/g, '')
        .split('|')
        .map((cell) => formatInline(cell.trim())),
    );
  const [head = [], ...body] = rows;
  const formatRow = (cells: string[], tag: string) => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table>\n<thead>${formatRow(head, 'th')}</thead>\n<tbody>\n${body.map((row) => formatRow(row, 'td')).join('\n')}\n</tbody>\n</table>`;
}

function formatBlock(text: string, picture: PictureWriter): string {
  const heading = /^(#{1,4})\s+(.+)$/.exec(text);
  if (heading) {
    const level = heading[1]?.length ?? 1;
    return `<h${level}>${formatInline(heading[2] ?? '')}</h${level}>`;
  }
  if (/^(\*\s*\*\s*\*|-{3,}|_{3,}|\* \* \*)$/.test(text)) return '<hr class="break"/>';
  const plate = /^!\[([^\]]*)\]\(plate:([\w-]+)\)$/.exec(text);
  if (plate) return picture(plate[2] ?? '', typeset(plate[1] ?? ''));
  if (text.startsWith('>')) return `<blockquote>\n${formatBlocks(text.replace(/^>\s?/gm, ''), picture)}\n</blockquote>`;
  if (/^[-*+]\s/.test(text)) return formatList(text, 'ul');
  if (/^\d+[.)]\s/.test(text)) return formatList(text, 'ol');
  if (/^\|.*\|\n\|[\s:|-]+\|/.test(text)) return formatTable(text);
  return `<p>${formatInline(text)}</p>`;
}

function formatBlocks(markdown: string, picture: PictureWriter): string {
  return markdown
    .replace(/\r/g, '')
    .replace(/^(#{1,4} .+|!\[[^\]]*\]\(plate:[\w-]+\))\s*$/gm, '\n$1\n')
    .split(/\n\s*\n/)
    .map((text) => text.replace(/^\n+|\s+$/g, ''))
    .filter(Boolean)
    .map((text) => formatBlock(text, picture))
    .join('\n');
}

/**
 * Converts a chapter's Markdown to XHTML blocks: headings, paragraphs, emphasis, quotations, lists,
 * tables, breaks, plates.
 */
export const toXhtml = (markdown: string, picture: PictureWriter): string => formatBlocks(markdown, picture);

/** The text of the chapter's first heading. */
export const getChapterTitle = (markdown: string): string =>
  typeset(/^#\s+(.+)$/m.exec(markdown)?.[1]?.replace(/[*_]/g, '').trim() ?? '');

/** The number of words in a Markdown text. */
export const countWords = (markdown: string): number =>
  markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
