import type { Browser } from 'playwright-core';
import type { DemoMedia } from './catalogue.ts';
import { fixedEpub } from './epub/fixed.ts';
import { reflowableEpub } from './epub/reflowable.ts';
import { countWords, typeset } from './text.ts';
import { printable } from './pdf/html.ts';
import { print } from './pdf/print.ts';
import { isbn13, entryOf } from './numbers.ts';
import type { Book } from './source/books.ts';
import { save } from './output.ts';
import { sampleName } from './source/work.ts';

const epubType = 'application/epub+zip';

function makeEpub(book: Book, cover: Buffer, folder: string): DemoMedia {
  const { id, isbn } = entryOf(book.slug);
  const number = isbn ? isbn13(id) : null;
  const name = `urn:colophon:demo:${id}`;
  const sampleTitle = sampleName(book.title, book.language);
  const fixed = book.layout === 'fixed';
  const whole = fixed
    ? fixedEpub(book, book.pages.length, cover, number, name)
    : reflowableEpub(book, book.chapters, cover, number, name);
  const sample = fixed
    ? fixedEpub(book, book.sampleChapters, cover, number, `${name}:sample`, sampleTitle)
    : reflowableEpub(book, book.chapters.slice(0, book.sampleChapters), cover, number, `${name}:sample`, sampleTitle);
  save(folder, 'book.epub', whole);
  save(folder, 'sample.epub', sample);
  const texts = fixed ? book.pages.map(({ text }) => text) : book.chapters.map(({ markdown }) => markdown);
  return {
    medium: 'epub',
    items: [{ id: '1', name: book.title, file: 'book.epub', mimeType: epubType }],
    sample: { items: [{ id: '1', name: sampleTitle, file: 'sample.epub', mimeType: epubType }] },
    wordCount: texts.reduce((sum, text) => sum + countWords(text), 0),
    ...(fixed ? { pages: book.pages.length } : {}),
  };
}

async function makePdf(browser: Browser, book: Book, cover: Buffer, folder: string): Promise<DemoMedia> {
  const whole = await print(browser, printable(book, book.chapters, cover), book.publishedOn);
  const sample = await print(browser, printable(book, book.chapters.slice(0, book.sampleChapters), cover), book.publishedOn);
  save(folder, 'book.pdf', whole.pdf);
  save(folder, 'sample.pdf', sample.pdf);
  return {
    medium: 'pdf',
    items: [{ id: '1', name: book.title, file: 'book.pdf', mimeType: 'application/pdf' }],
    sample: {
      items: [{ id: '1', name: sampleName(book.title, book.language), file: 'sample.pdf', mimeType: 'application/pdf' }],
    },
    wordCount: book.chapters.reduce((sum, { markdown }) => sum + countWords(markdown), 0),
    pages: whole.pages,
  };
}

/** Creates the book and its sample in the folder; its title has typographic quotes. */
export async function makeBook(browser: Browser, book: Book, cover: Buffer, folder: string): Promise<DemoMedia> {
  const subtitle = book.subtitle ? { subtitle: typeset(book.subtitle) } : {};
  const set = { ...book, title: typeset(book.title), ...subtitle };
  return book.kind === 'pdf' ? makePdf(browser, set, cover, folder) : makeEpub(set, cover, folder);
}
