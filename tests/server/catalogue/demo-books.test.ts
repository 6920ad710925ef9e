import { readFileSync } from 'node:fs';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { Title } from '../../../tools/demo/catalogue.ts';
import { catalogue, readEpub, getTitleFilePath, listItems, unzip } from '../support/demo-files.ts';

const listTitlesOfMedium = (medium: string): [string, Title][] =>
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

describe.each(listTitlesOfMedium('epub'))('%s', (_slug, title) => {
  it.each(listItems(title).map(({ file }) => file))('%s is a valid EPUB archive, with an uncompressed mimetype first', (file) => {
    const entries = unzip(readFileSync(getTitleFilePath(title, file)));
    const [first] = entries;
    expect(first).toMatchObject({ name: 'mimetype', stored: true, offset: 0 });
    expect(first?.data.toString()).toBe('application/epub+zip');
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
  });

  it.each(listItems(title).map(({ file }) => file))('%s declares all its files, and has no broken link', (file) => {
    const epub = readEpub(title, file);
    const opf = epub.get('OEBPS/package.opf') ?? '';
    const packedFiles = [...epub.keys()].filter((name) => name.startsWith('OEBPS/') && name !== 'OEBPS/package.opf');
    expect(
      readAttributes(opf, 'item', 'href')
        .map((href) => `OEBPS/${href}`)
        .sort(),
    ).toEqual(packedFiles.sort());
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

  it('the book has several chapters, and its sample consists of the first ones', () => {
    const bookChapters = findChapters(readEpub(title, 'book.epub'));
    const sampleChapters = findChapters(readEpub(title, 'sample.epub'));
    expect(bookChapters.length).toBeGreaterThanOrEqual(3);
    expect(sampleChapters.length).toBeGreaterThan(0);
    expect(sampleChapters.length).toBeLessThan(bookChapters.length);
    expect(sampleChapters).toEqual(bookChapters.slice(0, sampleChapters.length));
  });
});

describe('among the EPUBs', () => {
  const books = listTitlesOfMedium('epub').map(([slug, title]) => ({
    slug,
    title,
    epub: readEpub(title, 'book.epub'),
  }));

  it('one EPUB has a fixed layout and states the size of each page', () => {
    const fixedLayoutBooks = books.filter(({ epub }) => epub.get('OEBPS/package.opf')?.includes('pre-paginated'));
    expect(fixedLayoutBooks).toHaveLength(1);
    for (const [, page] of findChapters(fixedLayoutBooks[0]?.epub ?? new Map<string, string>())) {
      expect(page).toMatch(/<meta name="viewport" content="width=\d+, height=\d+"\/>/);
    }
  });

  it('one EPUB has over 100,000 words and an entry for each day of the year', () => {
    const countWords = (epub: Map<string, string>) =>
      findChapters(epub).reduce(
        (sum, [, text]) =>
          sum +
          text
            .replace(/<[^>]+>/g, ' ')
            .split(/\s+/)
            .filter(Boolean).length,
        0,
      );
    const longBooks = books.filter(({ epub }) => countWords(epub) > 100_000);
    expect(longBooks.map(({ slug }) => slug)).toEqual(['long-almanac']);
    const navigation = longBooks[0]?.epub.get('OEBPS/nav.xhtml') ?? '';
    const dayLinks = readAttributes(navigation, 'a', 'href').filter((href) => href.includes('#s'));
    expect(new Set(dayLinks).size).toBe(365);
  });

  it('every EPUB has a picture, and at least five have several', () => {
    const countPictures = (epub: Map<string, string>) =>
      [...epub].filter(([name, text]) => name.endsWith('.svg') || text.includes('<svg')).length;
    for (const { slug, epub } of books) expect(countPictures(epub), slug).toBeGreaterThan(0);
    expect(books.filter(({ epub }) => countPictures(epub) > 1).length).toBeGreaterThanOrEqual(5);
  });
});

async function readPdf(title: Title, file: string) {
  const pdf = await getDocument({ data: new Uint8Array(readFileSync(getTitleFilePath(title, file))), verbosity: 0 }).promise;
  const outline: { title: string }[] = (await pdf.getOutline()) ?? [];
  const readText = async (page: number) => {
    const content = await (await pdf.getPage(page)).getTextContent();
    return content.items.map((item) => ('str' in item ? item.str : '')).join('');
  };
  return { pages: pdf.numPages, outline: outline.map((entry) => entry.title), readText };
}

describe.each(listTitlesOfMedium('pdf'))('%s', (_slug, title) => {
  it('the PDF has an outline, numbered pages and a sample with the same beginning', async () => {
    const [book, sample] = [await readPdf(title, 'book.pdf'), await readPdf(title, 'sample.pdf')];
    expect(book.pages).toBe(title.pages);
    expect(book.outline.length).toBeGreaterThanOrEqual(5);
    expect(sample.pages).toBeLessThan(book.pages);
    expect(book.outline.slice(0, sample.outline.length)).toEqual(sample.outline);
    const firstPage = await book.readText(4);
    expect(firstPage).toContain(book.outline[0]);
    expect(firstPage.trim()).toMatch(/^4\D|\D4$/);
    expect(await sample.readText(4)).toBe(firstPage);
  });
});
