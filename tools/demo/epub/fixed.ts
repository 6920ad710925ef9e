import { contrast, luminance } from '../art/colour.ts';
import { scene, type SceneOrder } from '../art/scene.ts';
import { escapeText } from '../text.ts';
import type { Book, Page } from '../source/books.ts';
import { epubFile } from './container.ts';
import { navDocument, xhtml } from './documents.ts';
import { phrasesIn } from './phrases.ts';

const [width, height, pictureHeight] = [800, 1000, 730];

/** The position of a figure on a page with one, two or three of them. */
function placeOf(name: string, progress: number, alone: boolean): SceneOrder['figures'][number] {
  if (name === 'moon')
    return {
      name,
      x: alone ? 0.5 : 0.66,
      y: 0.585 - Math.min(1, progress * 1.25) * 0.34,
      size: 0.4,
      behind: true,
    };
  if (name === 'bird') return { name: 'flying', x: alone ? 0.5 : 0.24, y: 0.3, size: 0.36, shift: 0.1 };
  if (name === 'boat') return { name, x: 0.34, y: 0.62, size: 0.5 };
  if (name === 'fish') return { name, x: 0.62, y: 0.7, size: 0.34 };
  if (name === 'clock') return { name, x: 0.54, y: 0.48, size: 0.5 };
  if (name === 'window') return { name, x: 0.34, y: 0.5, size: 0.66 };
  return { name, x: 0.5, y: 0.5, size: 0.5 };
}

function picture(book: Book, { scene: { background, elements } }: Page, index: number): string {
  const names = elements.filter((name) => name !== 'hill' && name !== 'wave');
  const progress = index / Math.max(1, book.pages.length - 1);
  const order = {
    width,
    height: pictureHeight,
    background,
    palette: book.palette,
    seed: `${book.slug} ${index}`,
    time: index * 1.7,
  };
  const setting = elements.includes('hill') ? 'hills' : elements.includes('wave') ? 'sea' : 'hills';
  return scene({
    ...order,
    setting,
    figures: names.map((name) => placeOf(name, progress, names.length === 1)),
  });
}

function page(book: Book, spread: Page, index: number): string {
  const [ground, ink] =
    luminance(book.palette[0]) < luminance(book.palette[1]) ? book.palette : [book.palette[1], book.palette[0]];
  const caption = spread.scene.caption;
  const tint = contrast(book.palette[2], ground) > 4.5 ? book.palette[2] : ink;
  return xhtml(
    book.language,
    `${book.title}, ${index + 1}`,
    `<div class="page" style="background:${ground};color:${ink}">
<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${pictureHeight}" viewBox="0 0 ${width} ${pictureHeight}" role="img" aria-label="${escapeText(spread.scene.elements.join(', '))}">
${picture(book, spread, index)}
</svg>
<p class="words">${escapeText(spread.text)}</p>
${caption ? `<p class="caption" style="color:${tint}">${escapeText(caption)}</p>` : ''}
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
export function fixedEpub(
  book: Book,
  count: number,
  cover: Buffer,
  isbn13: string | null,
  identifier: string,
  sampleOf?: string,
): Buffer {
  const says = phrasesIn(book.language);
  const viewport = `<meta name="viewport" content="width=${width}, height=${height}"/>\n<link rel="stylesheet" type="text/css" href="style.css"/>`;
  const pages = book.pages.slice(0, count).map((spread, i) => ({
    href: `page-${String(i + 1).padStart(2, '0')}.xhtml`,
    mediaType: 'application/xhtml+xml',
    properties: 'svg',
    data: page(book, spread, i),
    spine: {},
  }));
  const items = [
    { title: says.cover, href: 'cover.xhtml' },
    ...pages.map(({ href }, i) => ({ title: book.pages[i]?.text.split(/(?<=[.!?”])\s/)[0] ?? href, href })),
  ];
  return epubFile({
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
        data: navDocument(book.language, says.contents, items, [
          { type: 'cover', title: says.cover, href: 'cover.xhtml' },
          { type: 'bodymatter', title: book.title, href: 'page-01.xhtml' },
        ]),
      },
      { href: 'style.css', mediaType: 'text/css', data: style },
      { href: 'cover.jpg', mediaType: 'image/jpeg', data: cover, properties: 'cover-image' },
      {
        href: 'cover.xhtml',
        mediaType: 'application/xhtml+xml',
        spine: {},
        data: xhtml(
          book.language,
          says.cover,
          `<div class="cover" epub:type="cover"><img src="cover.jpg" alt="${escapeText(book.title)}"/></div>`,
          viewport,
        ),
      },
      ...pages,
    ],
  });
}
