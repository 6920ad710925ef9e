import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { categories, type DemoMedia, type Title, createTitle, addRelated } from './catalogue.ts';
import { readFilms } from './film/source.ts';
import { makeBook } from './make-book.ts';
import { makeAudio, makeFilm, makeStory, readSpokenWorks } from './make-media.ts';
import { readStory } from './player/bundle.ts';
import { readBooks } from './source/books.ts';
import type { Work } from './source/work.ts';
import { demoFolder, createEmptyFolder, makeCover, saveFile } from './output.ts';

// Builds the demo store's titles: all of them, or those with the given slugs. Usage: `node
// tools/demo/build.ts [slug …]`.

/** A title to build; `make` creates its files in the folder. */
interface Job {
  work: Work;
  make: (browser: Browser, cover: Buffer, folder: string) => Promise<DemoMedia> | DemoMedia;
}

function createJobs(): Job[] {
  const books = readBooks((slug, reason) => console.warn(`left out: ${slug} (${reason})`));
  return [
    ...books.map((work): Job => ({
      work,
      make: (browser, cover, folder) => makeBook(browser, work, cover, folder),
    })),
    ...readSpokenWorks().map((work): Job => ({
      work,
      make: (_browser, _cover, folder) => makeAudio(work, folder),
    })),
    ...readFilms().map((work): Job => ({
      work,
      make: (browser, _cover, folder) => makeFilm(browser, work, folder),
    })),
    ...[readStory()].map((work): Job => ({
      work,
      make: (_browser, _cover, folder) => makeStory(work, folder),
    })),
  ];
}

const catalogueFile = join(demoFolder, 'catalogue.json');

function readEarlierTitles(): Map<string, Title> {
  if (!existsSync(catalogueFile)) return new Map();
  const { titles } = JSON.parse(readFileSync(catalogueFile, 'utf8')) as { titles: Title[] };
  return new Map(titles.map((title) => [title.slug, title]));
}

const requestedSlugs = process.argv.slice(2);
const titles = readEarlierTitles();
const browser = await openBrowser();
try {
  for (const { work, make } of createJobs()) {
    if (requestedSlugs.length > 0 && !requestedSlugs.includes(work.slug)) continue;
    const startedAt = performance.now();
    const folder = createEmptyFolder(work);
    const cover = await makeCover(browser, work, folder);
    titles.set(work.slug, createTitle(work, await make(browser, cover, folder)));
    console.log(`${work.slug} (${Math.round(performance.now() - startedAt)} ms)`);
  }
} finally {
  await browser.close();
}
const sortedTitles = addRelated([...titles.values()].sort((a, b) => a.id.localeCompare(b.id)));
saveFile(demoFolder, 'catalogue.json', `${JSON.stringify({ categories, titles: sortedTitles }, null, 1)}\n`);
console.log(`${sortedTitles.length} titles in ${catalogueFile}`);
