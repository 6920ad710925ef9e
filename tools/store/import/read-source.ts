import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { toIsbn13 } from '../../../server/catalogue/isbn.ts';
import type { ImportedTitle } from '../../../server/importing/imported-title.ts';
import { toLanguageTag } from '../../../server/importing/language-tag.ts';
import { LimitedThreads, TaskOutOfMemory, TaskTimeout } from '../../../server/base/limited-threads.ts';
import type { BrokenCode } from '../../../server/publication/broken-publication.ts';
import { mediaTypeOf } from '../../../server/publication/media-types.ts';
import type { Facts, ReadCover } from './facts.ts';
import type { Source } from './find-sources.ts';
import type { Answer } from './reading-thread.ts';

/** Where the bytes of a title's file come from. */
export type Content = { name: string; size: number; from: string | Uint8Array };

/** A title as the shop takes it, and its files. `remarks` stop nothing. */
export type ReadTitle = { title: ImportedTitle; contents: Content[]; subjects: string[]; remarks: string[] };

/** A title that cannot be imported as it is; the message says what is wrong with its files. */
export class BadSource extends Error {}

/** What to do about a file, by what is wrong with it. */
const ADVICE: Record<BrokenCode, string> = {
  broken_book: 'Get another copy of it',
  book_protected: 'Get one without a lock',
  book_too_large: 'Get one that is made with more care',
  book_too_many: 'Get one that is made with more care',
  book_too_deep: 'Get one that is made with more care',
};

const limits = { time: 120_000, memory: 512, queue: 16 };

/** Reads titles on threads of their own, each in a limited time and memory: what is delivered may be made to keep one busy for ever. */
export class SourceReader {
  readonly #threads = new LimitedThreads(new URL('./reading-thread.ts', import.meta.url), 2, limits, () => {});

  async #ask<Value>(name: string, task: unknown): Promise<Value> {
    try {
      const answer = (await this.#threads.run(name, task)) as Answer<Value>;
      if ('broken' in answer) throw new BadSource(`${answer.broken}. ${ADVICE[answer.code]}`);
      return answer.value;
    } catch (error) {
      if (error instanceof TaskTimeout)
        throw new BadSource(`reading it takes longer than ${limits.time / 1000} seconds. ${ADVICE.book_too_large}`);
      if (error instanceof TaskOutOfMemory) throw new BadSource(`reading it takes too much memory. ${ADVICE.book_too_large}`);
      const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
      if (code === 'ENOENT') throw new BadSource('it is no longer there, or its name cannot be read');
      if (code === 'EACCES') throw new BadSource('it cannot be opened. Allow reading it');
      throw error;
    }
  }

  /** @throws BadSource */
  async read(source: Source): Promise<ReadTitle> {
    const facts = await this.#ask<Facts>(source.kind, source.kind === 'sound' ? source.files : source.path);
    const covers = await Promise.all(
      source.covers.slice(0, 3).map((file) => this.#ask<ReadCover>('cover', file).catch(() => undefined)),
    );
    const cover = covers.find((each) => each !== undefined) ?? facts.cover;
    if (source.sample !== undefined) await this.#ask<Facts>(source.kind, source.sample);
    return titleOf(source, { ...facts, cover });
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}

async function contentOf(use: string, from: string | Uint8Array, ending: string): Promise<Content> {
  const hash = createHash('sha256');
  if (typeof from === 'string') await pipeline(createReadStream(from), hash);
  else hash.update(from);
  const size = typeof from === 'string' ? (await stat(from)).size : from.length;
  return { name: `${use}-${hash.digest('hex').slice(0, 32)}${ending.toLowerCase()}`, size, from };
}

/** What identifies a title wherever it lies: not the numbers and names that templates of programs come with. */
const isSure = (identifier: string): boolean => {
  const plain = identifier.replace(/^urn:uuid:/i, '');
  return (
    identifier.length >= 8 && /[\d:.]/.test(identifier) && !/^[0-]+$/.test(plain) && !/^(?:12345678|bookid|unknown)/i.test(plain)
  );
};

const isbnIn = (text: string): string | undefined => toIsbn13(text.replace(/^(?:urn:)?isbn:?\s*/i, ''));

const cut = (text: string | undefined, longest = 500): string | undefined => {
  const plain = text?.toWellFormed().replaceAll('\u0000', '').trim() ?? '';
  return plain === '' ? undefined : [...plain].slice(0, longest).join('').slice(0, longest).toWellFormed();
};
const cutAll = (texts: readonly string[]): string[] => texts.flatMap((text) => cut(text) ?? []).slice(0, 50);

/** A subject that is told for the shelves of a library, not for those of a shop, is a long one; and of many the first say most. */
export const LONGEST_SUBJECT = 100;
export const MOST_SUBJECTS = 10;

/** A file's name as a person would write the title. */
const nameOf = (path: string): string =>
  basename(path, /\.\w{2,5}$/.test(path) ? extname(path) : '')
    .replaceAll(/[_\s]+/g, ' ')
    .trim();

/** Leaves out what there is nothing to say of. */
const said = <Value extends object>(value: Value) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [Key in keyof Value]: Exclude<Value[Key], undefined>;
  };

async function titleOf(source: Source, facts: Facts): Promise<ReadTitle> {
  const isbn13 = [...facts.identifiers, basename(source.path).match(/97[89][\d-]{10,14}/)?.[0] ?? '']
    .map(isbnIn)
    .find((each) => each !== undefined);
  const name = cut(facts.name) ?? cut(nameOf(source.path)) ?? 'Untitled';
  const use = { epub: 'book', pdf: 'book', sound: 'part', film: 'film' }[source.kind];
  const captions = await Promise.all(
    source.captions.map(async ({ file, language }, at) => ({
      content: await contentOf(`captions-${at + 1}`, file, '.vtt'),
      language: toLanguageTag(language) ?? 'und',
    })),
  );
  const parts = [];
  for (const [at, { file, ...part }] of facts.parts.entries()) {
    const content = await contentOf(use === 'book' ? use : `${use}-${at + 1}`, file, extname(file));
    parts.push({ content, part });
  }
  const items = parts.map(({ content, part }, at) => ({
    id: String(at + 1),
    name: cut(part.name) ?? name,
    file: content.name,
    mimeType: mimeTypeOf(content.name),
    ...(part.durationSeconds > 0 ? { durationSeconds: Math.round(part.durationSeconds * 1000) / 1000 } : {}),
    ...(part.chapters
      ? { chapters: part.chapters.map((each, nth) => ({ ...each, name: cut(each.name) ?? String(nth + 1) })) }
      : {}),
    ...(captions.length > 0 ? { captions: captions.map(({ content: { name: file }, language }) => ({ file, language })) } : {}),
  }));
  const cover = facts.cover && (await contentOf('cover', facts.cover.bytes, '.jpg'));
  const sample = source.sample === undefined ? undefined : await contentOf('sample', source.sample, extname(source.sample));
  const contents = [
    ...parts.map(({ content }) => content),
    ...captions.map(({ content }) => content),
    cover ?? [],
    sample ?? [],
  ].flat();
  const durationSeconds = facts.parts.reduce((sum, part) => sum + part.durationSeconds, 0);
  const title = said({
    keys: keysOf(source, facts, isbn13),
    medium: facts.medium,
    name,
    subtitle: cut(facts.subtitle),
    isbn13,
    authors: cutAll(facts.authors),
    narrators: cutAll(facts.narrators),
    publisher: cut(facts.publisher),
    language: toLanguageTag(facts.language),
    series: facts.series && cut(facts.series.name) ? { ...facts.series, name: cut(facts.series.name) ?? '' } : undefined,
    publishedOn: facts.publishedOn,
    description: cut(facts.description, 50_000),
    pages: facts.pages,
    durationSeconds: durationSeconds > 0 ? durationSeconds : undefined,
    cover:
      cover && facts.cover
        ? { file: cover.name, width: facts.cover.width, height: facts.cover.height, color: facts.cover.color }
        : undefined,
    items,
    sample: sample && [{ id: '1', name, file: sample.name, mimeType: mimeTypeOf(sample.name) }],
    files: [...new Map(contents.map((each) => [each.name, { name: each.name, size: each.size }])).values()],
  });
  const subjects = [...new Set(facts.subjects.flatMap((each) => cut(each, LONGEST_SUBJECT) ?? []))].slice(0, MOST_SUBJECTS);
  return { title, contents, subjects, remarks: facts.remarks };
}

type MimeType = ImportedTitle['items'][number]['mimeType'];

/** By its ending, which is one of those that sources have. */
const mimeTypeOf = (name: string): MimeType => mediaTypeOf(name) as MimeType;

function keysOf({ path }: Source, { identifiers }: Facts, isbn13: string | undefined): string[] {
  const own = identifiers.filter((each) => isbnIn(each) === undefined && isSure(each)).map((each) => `id:${each.trim()}`);
  const sure = [...new Set([...(isbn13 === undefined ? [] : [`isbn:${isbn13}`]), ...own])]
    .filter((key) => key.length <= 5000)
    .slice(0, 6);
  // A file that says nothing of itself is known by its place.
  return sure.length > 0 ? sure : [`path:${path}`];
}
