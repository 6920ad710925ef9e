import { readFileSync } from 'node:fs';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { Title } from '../../../tools/demo/catalogue.ts';
import { catalogue, epubOf, fileOf, partsOf, unzip } from '../support/demo-files.ts';

const withMedium = (medium: string): [string, Title][] =>
  catalogue.titles.filter((title) => title.medium === medium).map((title) => [title.slug, title]);

const chaptersOf = (epub: Map<string, string>): [string, string][] =>
  [...epub].filter(([name]) => /(chapter|page)-\d+\.xhtml$/.test(name));

const attributes = (xml: string, element: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}\\b[^>]*\\b${name}="([^"]+)"`, 'g'))].map((match) => match[1] ?? '');

function wellFormed(xml: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
}

describe.each(withMedium('epub'))('%s', (_slug, title) => {
  it.each(partsOf(title).map(({ file }) => file))('%s is a sound EPUB archive, its mimetype first and stored', (file) => {
    const entries = unzip(readFileSync(fileOf(title, file)));
    const [first] = entries;
    expect(first).toMatchObject({ name: 'mimetype', stored: true, offset: 0 });
    expect(first?.data.toString()).toBe('application/epub+zip');
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
  });

  it.each(partsOf(title).map(({ file }) => file))('%s declares all that it holds, and every link leads somewhere', (file) => {
    const epub = epubOf(title, file);
    const opf = epub.get('OEBPS/package.opf') ?? '';
    const held = [...epub.keys()].filter((name) => name.startsWith('OEBPS/') && name !== 'OEBPS/package.opf');
    expect(
      attributes(opf, 'item', 'href')
        .map((href) => `OEBPS/${href}`)
        .sort(),
    ).toEqual(held.sort());
    expect(attributes(opf, 'item', 'id')).toEqual(expect.arrayContaining(attributes(opf, 'itemref', 'idref')));
    expect(opf).toContain('properties="nav"');
    expect(opf).toContain('properties="cover-image"');
    for (const [name, text] of epub) {
      if (/\.(xhtml|opf|svg|xml)$/.test(name)) wellFormed(text);
      if (!name.endsWith('.xhtml')) continue;
      for (const link of [...attributes(text, 'a', 'href'), ...attributes(text, 'img', 'src')]) {
        const [path = '', fragment] = link.split('#');
        const target = epub.get(`OEBPS/${path}`);
        expect(target, `${name} -> ${link}`).toBeDefined();
        if (fragment) expect(target).toContain(`id="${fragment}"`);
      }
    }
  });

  it('has several chapters, and its sample is the first of them', () => {
    const [book, sample] = [chaptersOf(epubOf(title, 'book.epub')), chaptersOf(epubOf(title, 'sample.epub'))];
    expect(book.length).toBeGreaterThanOrEqual(3);
    expect(sample.length).toBeGreaterThan(0);
    expect(sample.length).toBeLessThan(book.length);
    expect(sample).toEqual(book.slice(0, sample.length));
  });
});

describe('among the EPUBs', () => {
  const books = withMedium('epub').map(([slug, title]) => ({
    slug,
    title,
    epub: epubOf(title, 'book.epub'),
  }));

  it('one is laid out page by page, each page with its size', () => {
    const fixed = books.filter(({ epub }) => epub.get('OEBPS/package.opf')?.includes('pre-paginated'));
    expect(fixed).toHaveLength(1);
    for (const [, page] of chaptersOf(fixed[0]?.epub ?? new Map<string, string>())) {
      expect(page).toMatch(/<meta name="viewport" content="width=\d+, height=\d+"\/>/);
    }
  });

  it('one is over 100,000 words long, with an entry for each day of the year', () => {
    const words = (epub: Map<string, string>) =>
      chaptersOf(epub).reduce(
        (sum, [, text]) =>
          sum +
          text
            .replace(/<[^>]+>/g, ' ')
            .split(/\s+/)
            .filter(Boolean).length,
        0,
      );
    const long = books.filter(({ epub }) => words(epub) > 100_000);
    expect(long.map(({ slug }) => slug)).toEqual(['long-almanac']);
    const days = attributes(long[0]?.epub.get('OEBPS/nav.xhtml') ?? '', 'a', 'href').filter((href) => href.includes('#s'));
    expect(new Set(days).size).toBe(365);
  });

  it('all have pictures in their pages, and several have plates of their own', () => {
    const pictures = (epub: Map<string, string>) =>
      [...epub].filter(([name, text]) => name.endsWith('.svg') || text.includes('<svg')).length;
    for (const { slug, epub } of books) expect(pictures(epub), slug).toBeGreaterThan(0);
    expect(books.filter(({ epub }) => pictures(epub) > 1).length).toBeGreaterThanOrEqual(5);
  });
});

async function readPdf(title: Title, file: string) {
  const pdf = await getDocument({ data: new Uint8Array(readFileSync(fileOf(title, file))), verbosity: 0 }).promise;
  const outline: { title: string }[] = (await pdf.getOutline()) ?? [];
  const textOf = async (page: number) => {
    const content = await (await pdf.getPage(page)).getTextContent();
    return content.items.map((item) => ('str' in item ? item.str : '')).join('');
  };
  return { pages: pdf.numPages, outline: outline.map((entry) => entry.title), textOf };
}

describe.each(withMedium('pdf'))('%s', (_slug, title) => {
  it('has an outline, numbered pages and a sample that begins as it does', async () => {
    const [book, sample] = [await readPdf(title, 'book.pdf'), await readPdf(title, 'sample.pdf')];
    expect(book.pages).toBe(title.pages);
    expect(book.outline.length).toBeGreaterThanOrEqual(5);
    expect(sample.pages).toBeLessThan(book.pages);
    expect(book.outline.slice(0, sample.outline.length)).toEqual(sample.outline);
    const firstPage = await book.textOf(4);
    expect(firstPage).toContain(book.outline[0]);
    expect(firstPage.trim()).toMatch(/^4\D|\D4$/);
    expect(await sample.textOf(4)).toBe(firstPage);
  });
});
