import type { Browser } from 'playwright-core';
import type { DemoMedia } from './catalogue.ts';
import { createFixedEpub } from './epub/fixed.ts';
import { createReflowableEpub } from './epub/reflowable.ts';
import { countWords, typeset } from './text.ts';
import { createPrintHtml } from './pdf/html.ts';
import { printPdf } from './pdf/print.ts';
import { createIsbn13, getEntry } from './numbers.ts';
import type { Book } from './source/books.ts';
import { saveFile } from './output.ts';
import { formatSampleName } from './source/work.ts';

const epubType = 'application/epub+zip';

function makeEpub(book: Book, cover: Buffer, folder: string): DemoMedia {
  const { id, isbn } = getEntry(book.slug);
  const isbnNumber = isbn ? createIsbn13(id) : null;
  const identifier = `urn:colophon:demo:${id}`;
  const sampleTitle = formatSampleName(book.title, book.language);
  const isFixed = book.layout === 'fixed';
  const fullEpub = isFixed
    ? createFixedEpub(book, book.pages.length, cover, isbnNumber, identifier)
    : createReflowableEpub(book, book.chapters, cover, isbnNumber, identifier);
  const sample = isFixed
    ? createFixedEpub(book, book.sampleChapters, cover, isbnNumber, `${identifier}:sample`, sampleTitle)
    : createReflowableEpub(
        book,
        book.chapters.slice(0, book.sampleChapters),
        cover,
        isbnNumber,
        `${identifier}:sample`,
        sampleTitle,
      );
  saveFile(folder, 'book.epub', fullEpub);
  saveFile(folder, 'sample.epub', sample);
  const texts = isFixed ? book.pages.map(({ text }) => text) : book.chapters.map(({ markdown }) => markdown);
  return {
    medium: 'epub',
    items: [{ id: '1', name: book.title, file: 'book.epub', mimeType: epubType }],
    sample: { items: [{ id: '1', name: sampleTitle, file: 'sample.epub', mimeType: epubType }] },
    wordCount: texts.reduce((sum, text) => sum + countWords(text), 0),
    ...(isFixed ? { pages: book.pages.length } : {}),
  };
}

async function makePdf(browser: Browser, book: Book, cover: Buffer, folder: string): Promise<DemoMedia> {
  const fullPdf = await printPdf(browser, createPrintHtml(book, book.chapters, cover), book.publishedOn);
  const sample = await printPdf(
    browser,
    createPrintHtml(book, book.chapters.slice(0, book.sampleChapters), cover),
    book.publishedOn,
  );
  saveFile(folder, 'book.pdf', fullPdf.pdf);
  saveFile(folder, 'sample.pdf', sample.pdf);
  return {
    medium: 'pdf',
    items: [{ id: '1', name: book.title, file: 'book.pdf', mimeType: 'application/pdf' }],
    sample: {
      items: [{ id: '1', name: formatSampleName(book.title, book.language), file: 'sample.pdf', mimeType: 'application/pdf' }],
    },
    wordCount: book.chapters.reduce((sum, { markdown }) => sum + countWords(markdown), 0),
    pages: fullPdf.pages,
  };
}

/** Creates the book and its sample in the folder; its title has typographic quotes. */
export async function makeBook(browser: Browser, book: Book, cover: Buffer, folder: string): Promise<DemoMedia> {
  const subtitle = book.subtitle ? { subtitle: typeset(book.subtitle) } : {};
  const typesetBook = { ...book, title: typeset(book.title), ...subtitle };
  return book.kind === 'pdf' ? makePdf(browser, typesetBook, cover, folder) : makeEpub(typesetBook, cover, folder);
}
