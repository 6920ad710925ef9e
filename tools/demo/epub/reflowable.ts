import { emblem, plate } from '../art/plate.ts';
import { escapeText, toXhtml } from '../text.ts';
import type { Book } from '../source/books.ts';
import type { Chapter } from '../source/work.ts';
import { epubFile } from './container.ts';
import { type NavItem, navDocument, xhtml } from './documents.ts';
import type { Resource } from './package.ts';
import { phrasesIn } from './phrases.ts';
import { styleFor } from './style.ts';

const headpiece = '<img class="headpiece" src="images/emblem.svg" alt="" role="presentation"/>';

const number = (i: number): string => String(i + 1).padStart(2, '0');
const document = (href: string, data: string, spine: Resource['spine'] = {}): Resource => ({
  href,
  mediaType: 'application/xhtml+xml',
  data,
  spine,
});

/** Lists the days of a month below it in the contents; other sub-headings are omitted. */
function withDays(html: string, href: string): { html: string; days: NavItem[] } {
  const days: NavItem[] = [];
  const marked = html.replace(/<h2>(.+?)<\/h2>/g, (_, title: string) => {
    days.push({
      title: title.replace(/<[^>]+>/g, '').replace(/&amp;/g, '&'),
      href: `${href}#s${days.length + 1}`,
    });
    return `<h2 id="s${days.length}">${title}</h2>`;
  });
  return days.length > 20 ? { html: marked, days } : { html, days: [] };
}

function chapterDocuments(book: Book, chapters: Chapter[]): { resources: Resource[]; nav: NavItem[] } {
  const resources: Resource[] = [];
  const nav: NavItem[] = [];
  let siblings = nav;
  const pictures = new Map<string, string>();
  chapters.forEach((chapter, i) => {
    if (chapter.part) {
      const href = `part-${number(i)}.xhtml`;
      const children: NavItem[] = [];
      nav.push({ title: chapter.part, href, children });
      siblings = children;
      resources.push(
        document(
          href,
          xhtml(
            book.language,
            chapter.part,
            `<section class="part" epub:type="part"><h1>${escapeText(chapter.part)}</h1></section>`,
            undefined,
            'bodymatter',
          ),
        ),
      );
    }
    const href = `chapter-${number(i)}.xhtml`;
    const raw = toXhtml(chapter.markdown, (name, alt) => {
      const file = `images/${name}-${number(i)}.svg`;
      pictures.set(file, plate(name, book.palette, `${book.slug} ${file}`, alt));
      return `<figure><img src="${file}" alt="${escapeText(alt)}"/></figure>`;
    });
    const { html, days } = withDays(raw, href);
    siblings.push({ title: chapter.title, href, ...(days.length ? { children: days } : {}) });
    resources.push(
      document(
        href,
        xhtml(
          book.language,
          chapter.title,
          `<section epub:type="chapter" role="doc-chapter">\n${headpiece}\n${html}\n</section>`,
          undefined,
          'bodymatter',
        ),
      ),
    );
  });
  pictures.set('images/emblem.svg', emblem(book.motif, book.palette));
  for (const [href, data] of [...pictures].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    resources.push({ href, mediaType: 'image/svg+xml', data });
  return { resources, nav };
}

/** A reflowable EPUB 3 of these chapters of the book. */
export function reflowableEpub(
  book: Book,
  chapters: Chapter[],
  cover: Buffer,
  isbn13: string | null,
  identifier: string,
  sampleOf?: string,
): Buffer {
  const says = phrasesIn(book.language);
  const { resources, nav } = chapterDocuments(book, chapters);
  const year = book.publishedOn.slice(0, 4);
  const titlePage = `<section class="title-page" epub:type="titlepage">${headpiece}<h1>${escapeText(book.title)}</h1>
${book.subtitle ? `<p class="subtitle">${escapeText(book.subtitle)}</p>\n` : ''}<p class="author">${escapeText(book.authors.join(', '))}</p>
<p class="publisher">${escapeText(book.publisher)}</p></section>`;
  const imprint = `<section class="imprint" epub:type="colophon"><p>${escapeText(says.published(book.publisher, year))}.</p>${isbn13 ? `\n<p>ISBN ${isbn13}</p>` : ''}
<p>${escapeText(says.rights)}</p></section>`;
  const first = nav[0]?.href ?? 'title.xhtml';
  return epubFile({
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
        data: navDocument(book.language, says.contents, nav, [
          { type: 'cover', title: says.cover, href: 'cover.xhtml' },
          { type: 'bodymatter', title: nav[0]?.title ?? book.title, href: first },
        ]),
      },
      { href: 'style.css', mediaType: 'text/css', data: styleFor(book.palette) },
      { href: 'cover.jpg', mediaType: 'image/jpeg', data: cover, properties: 'cover-image' },
      document(
        'cover.xhtml',
        xhtml(
          book.language,
          says.cover,
          `<section class="cover" epub:type="cover"><img src="cover.jpg" alt="${escapeText(`${book.title}, ${book.authors.join(', ')}`)}"/></section>`,
        ),
      ),
      document('title.xhtml', xhtml(book.language, says.titlePage, titlePage)),
      ...resources,
      document('imprint.xhtml', xhtml(book.language, says.imprint, imprint)),
    ],
  });
}
