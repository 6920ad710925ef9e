import { computeContrast, computeLuminance } from '../art/colour.ts';
import { drawScene, type SceneSpec } from '../art/scene.ts';
import { escapeText } from '../text.ts';
import type { Book, Page } from '../source/books.ts';
import { createEpub } from './container.ts';
import { createNavDocument, createXhtml } from './documents.ts';
import { getPhrases } from './phrases.ts';

const [width, height, pictureHeight] = [800, 1000, 730];

/** A figure with its position on a page; `isAlone`: the page has no other figure. */
function createFigure(name: string, progress: number, isAlone: boolean): SceneSpec['figures'][number] {
  if (name === 'moon')
    return {
      name,
      x: isAlone ? 0.5 : 0.66,
      y: 0.585 - Math.min(1, progress * 1.25) * 0.34,
      size: 0.4,
      behind: true,
    };
  if (name === 'bird') return { name: 'flying', x: isAlone ? 0.5 : 0.24, y: 0.3, size: 0.36, shift: 0.1 };
  if (name === 'boat') return { name, x: 0.34, y: 0.62, size: 0.5 };
  if (name === 'fish') return { name, x: 0.62, y: 0.7, size: 0.34 };
  if (name === 'clock') return { name, x: 0.54, y: 0.48, size: 0.5 };
  if (name === 'window') return { name, x: 0.34, y: 0.5, size: 0.66 };
  return { name, x: 0.5, y: 0.5, size: 0.5 };
}

function drawPicture(book: Book, { scene: { background, elements } }: Page, index: number): string {
  const names = elements.filter((name) => name !== 'hill' && name !== 'wave');
  const progress = index / Math.max(1, book.pages.length - 1);
  const spec = {
    width,
    height: pictureHeight,
    background,
    palette: book.palette,
    seed: `${book.slug} ${index}`,
    time: index * 1.7,
  };
  const setting = elements.includes('hill') ? 'hills' : elements.includes('wave') ? 'sea' : 'hills';
  return drawScene({
    ...spec,
    setting,
    figures: names.map((name) => createFigure(name, progress, names.length === 1)),
  });
}

function createPage(book: Book, spread: Page, index: number): string {
  const [ground, ink] =
    computeLuminance(book.palette[0]) < computeLuminance(book.palette[1]) ? book.palette : [book.palette[1], book.palette[0]];
  const caption = spread.scene.caption;
  const captionColour = computeContrast(book.palette[2], ground) > 4.5 ? book.palette[2] : ink;
  return createXhtml(
    book.language,
    `${book.title}, ${index + 1}`,
    `<div class="page" style="background:${ground};color:${ink}">
<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${pictureHeight}" viewBox="0 0 ${width} ${pictureHeight}" role="img" aria-label="${escapeText(spread.scene.elements.join(', '))}">
${drawPicture(book, spread, index)}
</svg>
<p class="words">${escapeText(spread.text)}</p>
${caption ? `<p class="caption" style="color:${captionColour}">${escapeText(caption)}</p>` : ''}
</div>`,
    `<meta name="viewport" content="width=${width}, height=${height}"/>\n<link rel="stylesheet" type="text/css" href="style.css"/>`,
  );
}

const style = `html, body { margin: 0; padding: 0; }
.page { position: relative; width: ${width}px; height: ${height}px; overflow: hidden; font-family: "URW Bookman", Bookman, Georgia, serif; }
.page svg { position: absolute; left: 0; top: 0; }
.words { position: absolute; left: 60px; right: 60px; top: ${pictureHeight + 30}px; margin: 0; font-size: 34px; line-height: 1.35; text-align: center; }
.caption { position: absolute; left: 60px; right: 60px; bottom: 26px; margin: 0; font-size: 26px; font-style: italic; text-align: center; }
.cover { width: ${width}px; height: ${height}px; background: #10131c; text-align: center; }
.cover img { height: ${height}px; }
`;

/** A fixed-layout EPUB 3 of the first `count` pages of a picture book. */
export function createFixedEpub(
  book: Book,
  count: number,
  cover: Buffer,
  isbn13: string | null,
  identifier: string,
  sampleOf?: string,
): Buffer {
  const phrases = getPhrases(book.language);
  const viewport = `<meta name="viewport" content="width=${width}, height=${height}"/>\n<link rel="stylesheet" type="text/css" href="style.css"/>`;
  const pages = book.pages.slice(0, count).map((spread, i) => ({
    href: `page-${String(i + 1).padStart(2, '0')}.xhtml`,
    mediaType: 'application/xhtml+xml',
    properties: 'svg',
    data: createPage(book, spread, i),
    spine: {},
  }));
  const items = [
    { title: phrases.cover, href: 'cover.xhtml' },
    ...pages.map(({ href }, i) => ({ title: book.pages[i]?.text.split(/(?<=[.!?”])\s/)[0] ?? href, href })),
  ];
  return createEpub({
    work: book,
    isbn13,
    identifier,
    fixed: true,
    ...(sampleOf ? { sampleOf } : {}),
    resources: [
      {
        href: 'nav.xhtml',
        mediaType: 'application/xhtml+xml',
        properties: 'nav',
        data: createNavDocument(book.language, phrases.contents, items, [
          { type: 'cover', title: phrases.cover, href: 'cover.xhtml' },
          { type: 'bodymatter', title: book.title, href: 'page-01.xhtml' },
        ]),
      },
      { href: 'style.css', mediaType: 'text/css', data: style },
      { href: 'cover.jpg', mediaType: 'image/jpeg', data: cover, properties: 'cover-image' },
      {
        href: 'cover.xhtml',
        mediaType: 'application/xhtml+xml',
        spine: {},
        data: createXhtml(
          book.language,
          phrases.cover,
          `<div class="cover" epub:type="cover"><img src="cover.jpg" alt="${escapeText(book.title)}"/></div>`,
          viewport,
        ),
      },
      ...pages,
    ],
  });
}
