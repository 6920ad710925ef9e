import { drawEmblem, drawPlate } from '../art/plate.ts';
import { escapeText, toXhtml } from '../text.ts';
import type { Book } from '../source/books.ts';
import type { Chapter } from '../source/work.ts';
import { createEpub } from './container.ts';
import { type NavItem, createNavDocument, createXhtml } from './documents.ts';
import type { Resource } from './package.ts';
import { getPhrases } from './phrases.ts';
import { createStyle } from './style.ts';

const headpiece = '<img class="headpiece" src="images/emblem.svg" alt="" role="presentation"/>';

const formatNumber = (i: number): string => String(i + 1).padStart(2, '0');
const createContentDocument = (href: string, data: string, spine: Resource['spine'] = {}): Resource => ({
  href,
  mediaType: 'application/xhtml+xml',
  data,
  spine,
});

/** Adds the days of a month to the contents, below the month; other sub-headings are omitted. */
function addDayEntries(html: string, href: string): { html: string; days: NavItem[] } {
  const days: NavItem[] = [];
  const htmlWithIds = html.replace(/<h2>(.+?)<\/h2>/g, (_, title: string) => {
    days.push({
      title: title.replace(/<[^>]+>/g, '').replace(/&amp;/g, '&'),
      href: `${href}#s${days.length + 1}`,
    });
    return `<h2 id="s${days.length}">${title}</h2>`;
  });
  return days.length > 20 ? { html: htmlWithIds, days } : { html, days: [] };
}

function createChapterDocuments(book: Book, chapters: Chapter[]): { resources: Resource[]; nav: NavItem[] } {
  const resources: Resource[] = [];
  const nav: NavItem[] = [];
  let siblings = nav;
  const pictures = new Map<string, string>();
  chapters.forEach((chapter, i) => {
    if (chapter.part) {
      const href = `part-${formatNumber(i)}.xhtml`;
      const children: NavItem[] = [];
      nav.push({ title: chapter.part, href, children });
      siblings = children;
      resources.push(
        createContentDocument(
          href,
          createXhtml(
            book.language,
            chapter.part,
            `<section class="part" epub:type="part"><h1>${escapeText(chapter.part)}</h1></section>`,
            undefined,
            'bodymatter',
          ),
        ),
      );
    }
    const href = `chapter-${formatNumber(i)}.xhtml`;
    const chapterHtml = toXhtml(chapter.markdown, (name, alt) => {
      const file = `images/${name}-${formatNumber(i)}.svg`;
      pictures.set(file, drawPlate(name, book.palette, `${book.slug} ${file}`, alt));
      return `<figure><img src="${file}" alt="${escapeText(alt)}"/></figure>`;
    });
    const { html, days } = addDayEntries(chapterHtml, href);
    siblings.push({ title: chapter.title, href, ...(days.length ? { children: days } : {}) });
    resources.push(
      createContentDocument(
        href,
        createXhtml(
          book.language,
          chapter.title,
          `<section epub:type="chapter" role="doc-chapter">\n${headpiece}\n${html}\n</section>`,
          undefined,
          'bodymatter',
        ),
      ),
    );
  });
  pictures.set('images/emblem.svg', drawEmblem(book.motif, book.palette));
  for (const [href, data] of [...pictures].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    resources.push({ href, mediaType: 'image/svg+xml', data });
  return { resources, nav };
}

/** A reflowable EPUB 3 of these chapters of the book. */
export function createReflowableEpub(
  book: Book,
  chapters: Chapter[],
  cover: Buffer,
  isbn13: string | null,
  identifier: string,
  sampleOf?: string,
): Buffer {
  const phrases = getPhrases(book.language);
  const { resources, nav } = createChapterDocuments(book, chapters);
  const year = book.publishedOn.slice(0, 4);
  const titlePage = `<section class="title-page" epub:type="titlepage">${headpiece}<h1>${escapeText(book.title)}</h1>
${book.subtitle ? `<p class="subtitle">${escapeText(book.subtitle)}</p>\n` : ''}<p class="author">${escapeText(book.authors.join(', '))}</p>
<p class="publisher">${escapeText(book.publisher)}</p></section>`;
  const imprint = `<section class="imprint" epub:type="colophon"><p>${escapeText(phrases.published(book.publisher, year))}.</p>${isbn13 ? `\n<p>ISBN ${isbn13}</p>` : ''}
<p>${escapeText(phrases.rights)}</p></section>`;
  const firstHref = nav[0]?.href ?? 'title.xhtml';
  return createEpub({
    work: book,
    isbn13,
    identifier,
    fixed: false,
    ...(sampleOf ? { sampleOf } : {}),
    resources: [
      {
        href: 'nav.xhtml',
        mediaType: 'application/xhtml+xml',
        properties: 'nav',
        data: createNavDocument(book.language, phrases.contents, nav, [
          { type: 'cover', title: phrases.cover, href: 'cover.xhtml' },
          { type: 'bodymatter', title: nav[0]?.title ?? book.title, href: firstHref },
        ]),
      },
      { href: 'style.css', mediaType: 'text/css', data: createStyle(book.palette) },
      { href: 'cover.jpg', mediaType: 'image/jpeg', data: cover, properties: 'cover-image' },
      createContentDocument(
        'cover.xhtml',
        createXhtml(
          book.language,
          phrases.cover,
          `<section class="cover" epub:type="cover"><img src="cover.jpg" alt="${escapeText(`${book.title}, ${book.authors.join(', ')}`)}"/></section>`,
        ),
      ),
      createContentDocument('title.xhtml', createXhtml(book.language, phrases.titlePage, titlePage)),
      ...resources,
      createContentDocument('imprint.xhtml', createXhtml(book.language, phrases.imprint, imprint)),
    ],
  });
}
