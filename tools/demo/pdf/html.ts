import { createTones } from '../art/colour.ts';
import { toPaperPalette, drawPlate } from '../art/plate.ts';
import { escapeText, toXhtml } from '../text.ts';
import { getHeadingColour } from '../epub/style.ts';
import { getMotif } from '../motifs/all.ts';
import type { Book } from '../source/books.ts';
import type { Chapter } from '../source/work.ts';

/**
 * The size of the cover page in millimetres: as high as the other pages, with the aspect ratio of
 * covers, so that nothing is cropped.
 */
const COVER = { width: 140, height: 210 };

const createStyle = (heading: string): string => `
@page { size: 148mm 210mm; margin: 20mm 19mm 22mm; @bottom-center { content: counter(page); font: 9pt "P052", Palatino, serif; color: #555; } }
@page cover { size: ${COVER.width}mm ${COVER.height}mm; margin: 0; @bottom-center { content: none; } }
@page front { @bottom-center { content: none; } }
body { margin: 0; font: 10.3pt/1.42 "P052", Palatino, serif; color: #1b1b1b; hyphens: auto; text-align: justify; }
.cover { page: cover; height: ${COVER.height}mm; overflow: hidden; } .cover img { width: ${COVER.width}mm; height: ${COVER.height}mm; display: block; }
.front { page: front; break-before: page; text-align: center; }
.front .title { font-size: 25pt; line-height: 1.15; margin: 38mm 0 4mm; text-indent: 0; text-align: center; } .front p { text-indent: 0; text-align: center; }
.front .subtitle { font-style: italic; font-size: 12.5pt; } .front .author { font-size: 14pt; margin-top: 14mm; } .front .publisher { margin-top: 58mm; font-size: 10pt; letter-spacing: .08em; }
.contents { page: front; break-before: page; } .contents .heading { font-size: 17pt; margin: 18mm 0 8mm; text-indent: 0; }
.contents li { margin: 2.4mm 0; } .contents ol { padding-left: 6mm; } .contents a { color: inherit; text-decoration: none; }
section.chapter { break-before: page; } .headpiece { display: block; width: 21mm; height: 21mm; margin: 0 0 0 -2mm; }
h1 { font-size: 21pt; line-height: 1.15; font-weight: normal; color: ${heading}; margin: 4mm 0 7mm; text-align: left; hyphens: none; }
h2 { font-size: 12.5pt; margin: 6mm 0 2mm; color: ${heading}; text-align: left; hyphens: none; break-after: avoid; } h3 { font-size: 10.6pt; margin: 4mm 0 1mm; break-after: avoid; }
p { margin: 0; text-indent: 5mm; orphans: 2; widows: 2; } h1+p,h2+p,h3+p,hr+p,figure+p,ul+p,ol+p,table+p,blockquote+p { text-indent: 0; }
figure { margin: 6mm 0; break-inside: avoid; text-align: center; } figure svg { width: 100%; height: auto; } figcaption { font-size: 9pt; font-style: italic; color: #555; margin-top: 1.5mm; }
blockquote { margin: 4mm 8mm; font-style: italic; } ul, ol { margin: 3mm 0; padding-left: 6mm; } li { margin: 1mm 0; }
table { border-collapse: collapse; margin: 4mm 0; width: 100%; font-size: 9.6pt; text-align: left; } th, td { border-bottom: .4pt solid #888; padding: 1.4mm 2mm; vertical-align: top; }
hr.break { border: 0; text-align: center; margin: 5mm 0; } hr.break::after { content: "\\2042"; }`;

function createChapterHtml(book: Book, chapter: Chapter, index: number): string {
  const body = toXhtml(chapter.markdown, (name, alt) => {
    const svg = drawPlate(name, book.palette, `${book.slug} ${name} ${index}`, alt).replace(/^<\?xml[^>]*>\s*/, '');
    return `<figure>${svg}<figcaption>${escapeText(alt)}</figcaption></figure>`;
  });
  const headpiece = getMotif(book.motif)(createTones(toPaperPalette(book.palette)));
  return `<section class="chapter" id="c${index}"><svg class="headpiece" viewBox="-105 -105 210 210" aria-hidden="true">${headpiece}</svg>${body}</section>`;
}

/**
 * These chapters of the book as one HTML page, to be printed on A5: cover, title, contents,
 * chapters.
 */
export function createPrintHtml(book: Book, chapters: Chapter[], cover: Buffer): string {
  const contents = chapters.map(({ title }, i) => `<li><a href="#c${i}">${escapeText(title)}</a></li>`).join('');
  return `<!doctype html><html lang="${book.language}"><head><meta charset="utf-8"><title>${escapeText(book.title)}</title><meta name="author" content="${escapeText(book.authors.join(', '))}"><style>${createStyle(getHeadingColour(book.palette))}</style></head><body>
<div class="cover"><img alt="${escapeText(book.title)}" src="data:image/jpeg;base64,${cover.toString('base64')}"></div>
<div class="front"><p class="title">${escapeText(book.title)}</p>${book.subtitle ? `<p class="subtitle">${escapeText(book.subtitle)}</p>` : ''}<p class="author">${escapeText(book.authors.join(', '))}</p><p class="publisher">${escapeText(book.publisher)}</p></div>
<div class="contents"><p class="heading">Contents</p><ol>${contents}</ol></div>
${chapters.map((chapter, i) => createChapterHtml(book, chapter, i)).join('\n')}
</body></html>`;
}
