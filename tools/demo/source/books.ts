import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAlmanac } from '../almanac/write.ts';
import { getChapterTitle } from '../text.ts';
import { readJson, textsFolder, type Chapter, type Work } from './work.ts';

export interface Page {
  text: string;
  scene: { background: string; elements: string[]; caption?: string };
}

export interface Book extends Work {
  kind: 'epub' | 'pdf';
  layout?: 'fixed';
  /** The number of chapters (pages, in a fixed layout) in the sample. */
  sampleChapters: number;
  chapters: Chapter[];
  pages: Page[];
}

interface BookFile extends Omit<Book, 'chapters' | 'pages'> {
  contents: { file: string; part?: string }[];
  generated?: boolean;
}

function readChapters(file: BookFile): Chapter[] {
  return file.contents.map(({ file: name, part }) => {
    const markdown = readFileSync(join(textsFolder, file.slug, name), 'utf8');
    return { title: getChapterTitle(markdown), markdown, ...(part ? { part } : {}) };
  });
}

function readBook(slug: string): Book {
  const { contents, generated, ...file } = readJson<BookFile>(slug, 'book.json');
  const chapters = generated ? writeAlmanac(readJson(slug, 'material.json')) : readChapters({ ...file, contents });
  return { ...file, chapters, pages: file.layout === 'fixed' ? readJson<Page[]>(slug, 'pages.json') : [] };
}

/**
 * The books with complete files, by slug; `onMissing` is called for each incomplete one, which is
 * omitted.
 */
export function readBooks(onMissing: (slug: string, reason: string) => void): Book[] {
  const slugs = readdirSync(textsFolder)
    .sort()
    .filter((name) => existsSync(join(textsFolder, name, 'book.json')));
  return slugs.flatMap((slug) => {
    try {
      return [readBook(slug)];
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
      onMissing(slug, error.message);
      return [];
    }
  });
}
