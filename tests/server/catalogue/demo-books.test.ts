import { readFileSync } from 'node:fs';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { Title } from '../../../tools/demo/catalogue.ts';
import { catalogue, readEpub, titleFile, allItems, unzip } from '../support/demo-files.ts';

const titlesOfMedium = (medium: string): [string, Title][] =>
  catalogue.titles.filter((title) => title.medium === medium).map((title) => [title.slug, title]);

const findChapters = (epub: Map<string, string>): [string, string][] =>
  [...epub].filter(([name]) => /(chapter|page)-\d+\.xhtml$/.test(name));

const readAttributes = (xml: string, element: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}\\b[^>]*\\b${name}="([^"]+)"`, 'g'))].map((match) => match[1] ?? '');

function expectWellFormed(xml: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
}

describe.each(titlesOfMedium('epub'))('%s', (_slug, title) => {
  it.each(allItems(title).map(({ file }) => file))('%s is a valid EPUB archive, its mimetype first and uncompressed', (file) => {
    const entries = unzip(readFileSync(titleFile(title, file)));
    const [first] = entries;
    expect(first).toMatchObject({ name: 'mimetype', stored: true, offset: 0 });
    expect(first?.data.toString()).toBe('application/epub+zip');
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
  });

  it.each(allItems(title).map(({ file }) => file))('%s declares all its files, and has no broken link', (file) => {
    const epub = readEpub(title, file);
    const opf = epub.get('OEBPS/package.opf') ?? '';
    const held = [...epub.keys()].filter((name) => name.startsWith('OEBPS/') && name !== 'OEBPS/package.opf');
    expect(
      readAttributes(opf, 'item', 'href')
        .map((href) => `OEBPS/${href}`)
        .sort(),
    ).toEqual(held.sort());
    expect(readAttributes(opf, 'item', 'id')).toEqual(expect.arrayContaining(readAttributes(opf, 'itemref', 'idref')));
    expect(opf).toContain('properties="nav"');
    expect(opf).toContain('properties="cover-image"');
    for (const [name, text] of epub) {
      if (/\.(xhtml|opf|svg|xml)$/.test(name)) expectWellFormed(text);
      if (!name.endsWith('.xhtml')) continue;
      for (const link of [...readAttributes(text, 'a', 'href'), ...readAttributes(text, 'img', 'src')]) {
        const [path = '', fragment] = link.split('#');
        const target = epub.get(`OEBPS/${path}`);
        expect(target, `${name} -> ${link}`).toBeDefined();
        if (fragment) expect(target).toContain(`id="${fragment}"`);
      }
    }
  });

  it('has several chapters, and its sample is the first of them', () => {
    const [book, sample] = [findChapters(readEpub(title, 'book.epub')), findChapters(readEpub(title, 'sample.epub'))];
    expect(book.length).toBeGreaterThanOrEqual(3);
    expect(sample.length).toBeGreaterThan(0);
    expect(sample.length).toBeLessThan(book.length);
    expect(sample).toEqual(book.slice(0, sample.length));
  });
});

describe('among the EPUBs', () => {
  const books = titlesOfMedium('epub').map(([slug, title]) => ({
    slug,
    title,
    epub: readEpub(title, 'book.epub'),
  }));

  it('one has a fixed layout, and each page its size', () => {
    const fixed = books.filter(({ epub }) => epub.get('OEBPS/package.opf')?.includes('pre-paginated'));
    expect(fixed).toHaveLength(1);
    for (const [, page] of findChapters(fixed[0]?.epub ?? new Map<string, string>())) {
      expect(page).toMatch(/<meta name="viewport" content="width=\d+, height=\d+"\/>/);
    }
  });

  it('one has over 100,000 words, with an entry for each day of the year', () => {
    const words = (epub: Map<string, string>) =>
      findChapters(epub).reduce(
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
    const days = readAttributes(long[0]?.epub.get('OEBPS/nav.xhtml') ?? '', 'a', 'href').filter((href) => href.includes('#s'));
    expect(new Set(days).size).toBe(365);
  });

  it('all have pictures in their pages, and several have full-page plates', () => {
    const pictures = (epub: Map<string, string>) =>
      [...epub].filter(([name, text]) => name.endsWith('.svg') || text.includes('<svg')).length;
    for (const { slug, epub } of books) expect(pictures(epub), slug).toBeGreaterThan(0);
    expect(books.filter(({ epub }) => pictures(epub) > 1).length).toBeGreaterThanOrEqual(5);
  });
});

async function readPdf(title: Title, file: string) {
  const pdf = await getDocument({ data: new Uint8Array(readFileSync(titleFile(title, file))), verbosity: 0 }).promise;
  const outline: { title: string }[] = (await pdf.getOutline()) ?? [];
  const textOf = async (page: number) => {
    const content = await (await pdf.getPage(page)).getTextContent();
    return content.items.map((item) => ('str' in item ? item.str : '')).join('');
  };
  return { pages: pdf.numPages, outline: outline.map((entry) => entry.title), textOf };
}

describe.each(titlesOfMedium('pdf'))('%s', (_slug, title) => {
  it('has an outline, numbered pages and a sample with the same beginning', async () => {
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
