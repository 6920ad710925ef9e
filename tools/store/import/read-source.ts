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
import { getMediaType } from '../../../server/publication/media-types.ts';
import type { TitleFacts, CoverImage } from './facts.ts';
import type { Source } from './find-sources.ts';
import type { ThreadResult } from './reading-thread.ts';

/** A file of a title, and the path or bytes to read it from. */
export type Content = { name: string; size: number; source: string | Uint8Array };

/** A title in the shop's form, and its files. `remarks` are warnings. */
export type ReadTitle = { title: ImportedTitle; contents: Content[]; subjects: string[]; remarks: string[] };

/** A title that cannot be imported as it is; the message says what is wrong with its files. */
export class BadSource extends Error {}

/** Advice to the operator about a faulty file. */
const ADVICE: Record<BrokenCode, string> = {
  broken_book: 'Get another copy of it',
  book_protected: 'Get a copy without DRM',
  book_too_large: 'Get a well-made copy',
  book_too_many: 'Get a well-made copy',
  book_too_deep: 'Get a well-made copy',
};

const threadLimits = { time: 120_000, memory: 512, queue: 16 };

/**
 * Reads titles in worker threads with limits on time and memory: a hostile file could keep a thread
 * busy forever.
 */
export class SourceReader {
  readonly #threads = new LimitedThreads(new URL('./reading-thread.ts', import.meta.url), 2, threadLimits, () => {});

  async #runTask<Value>(name: string, task: unknown): Promise<Value> {
    try {
      const result = (await this.#threads.run(name, task)) as ThreadResult<Value>;
      if ('broken' in result) throw new BadSource(`${result.broken}. ${ADVICE[result.code]}`);
      return result.value;
    } catch (error) {
      if (error instanceof TaskTimeout)
        throw new BadSource(`reading it exceeds the time limit of ${threadLimits.time / 1000} seconds. ${ADVICE.book_too_large}`);
      if (error instanceof TaskOutOfMemory) throw new BadSource(`reading it exceeds the memory limit. ${ADVICE.book_too_large}`);
      const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
      if (code === 'ENOENT') throw new BadSource('it no longer exists, or its name cannot be read');
      if (code === 'EACCES') throw new BadSource('it cannot be opened. Check its permissions');
      throw error;
    }
  }

  /** Reads a title from its files. @throws BadSource */
  async read(source: Source): Promise<ReadTitle> {
    const facts = await this.#runTask<TitleFacts>(source.kind, source.kind === 'sound' ? source.files : source.path);
    const covers = await Promise.all(
      source.covers.slice(0, 3).map((file) => this.#runTask<CoverImage>('cover', file).catch(() => undefined)),
    );
    const cover = covers.find((each) => each !== undefined) ?? facts.cover;
    if (source.sample !== undefined) await this.#runTask<TitleFacts>(source.kind, source.sample);
    return toImportedTitle(source, { ...facts, cover });
  }

  close(): Promise<void> {
    return this.#threads.close();
  }
}

async function toContent(purpose: string, source: string | Uint8Array, extension: string): Promise<Content> {
  const hash = createHash('sha256');
  if (typeof source === 'string') await pipeline(createReadStream(source), hash);
  else hash.update(source);
  const size = typeof source === 'string' ? (await stat(source)).size : source.length;
  return { name: `${purpose}-${hash.digest('hex').slice(0, 32)}${extension.toLowerCase()}`, size, source };
}

/**
 * Whether an identifier is globally unique, unlike the numbers and names from the templates of some
 * programs.
 */
const isReliableId = (identifier: string): boolean => {
  const bareId = identifier.replace(/^urn:uuid:/i, '');
  return (
    identifier.length >= 8 &&
    /[\d:.]/.test(identifier) &&
    !/^[0-]+$/.test(bareId) &&
    !/^(?:12345678|bookid|unknown)/i.test(bareId)
  );
};

const parseIsbn = (text: string): string | undefined => toIsbn13(text.replace(/^(?:urn:)?isbn:?\s*/i, ''));

const truncate = (text: string | undefined, maxChars = 500): string | undefined => {
  const cleanedText = text?.toWellFormed().replaceAll('\u0000', '').trim() ?? '';
  return cleanedText === '' ? undefined : [...cleanedText].slice(0, maxChars).join('').slice(0, maxChars).toWellFormed();
};
const truncateAll = (texts: readonly string[]): string[] => texts.flatMap((text) => truncate(text) ?? []).slice(0, 50);

/**
 * Longer subjects are meant for libraries, not for shops; of many subjects, the first ones are the
 * most relevant.
 */
export const MAX_SUBJECT_CHARS = 100;
export const MAX_SUBJECTS = 10;

/** Derives a title from a file name. */
const getTitleName = (path: string): string =>
  basename(path, /\.\w{2,5}$/.test(path) ? extname(path) : '')
    .replaceAll(/[_\s]+/g, ' ')
    .trim();

/** Omits undefined values. */
const omitUndefined = <Value extends object>(value: Value) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [Key in keyof Value]: Exclude<Value[Key], undefined>;
  };

async function toImportedTitle(source: Source, facts: TitleFacts): Promise<ReadTitle> {
  const isbn13 = [...facts.identifiers, basename(source.path).match(/97[89][\d-]{10,14}/)?.[0] ?? '']
    .map(parseIsbn)
    .find((each) => each !== undefined);
  const name = truncate(facts.name) ?? truncate(getTitleName(source.path)) ?? 'Untitled';
  const purpose = { epub: 'book', pdf: 'book', sound: 'part', film: 'film' }[source.kind];
  const captions = await Promise.all(
    source.captions.map(async ({ file, language }, index) => ({
      content: await toContent(`captions-${index + 1}`, file, '.vtt'),
      language: toLanguageTag(language) ?? 'und',
    })),
  );
  const parts = [];
  for (const [index, { file, ...part }] of facts.parts.entries()) {
    const content = await toContent(purpose === 'book' ? purpose : `${purpose}-${index + 1}`, file, extname(file));
    parts.push({ content, part });
  }
  const items = parts.map(({ content, part }, index) => ({
    id: String(index + 1),
    name: truncate(part.name) ?? name,
    file: content.name,
    mimeType: getMimeType(content.name),
    ...(part.durationSeconds > 0 ? { durationSeconds: Math.round(part.durationSeconds * 1000) / 1000 } : {}),
    ...(part.chapters
      ? {
          chapters: part.chapters.map((each, chapterIndex) => ({
            ...each,
            name: truncate(each.name) ?? String(chapterIndex + 1),
          })),
        }
      : {}),
    ...(captions.length > 0 ? { captions: captions.map(({ content: { name: file }, language }) => ({ file, language })) } : {}),
  }));
  const cover = facts.cover && (await toContent('cover', facts.cover.bytes, '.jpg'));
  const sample = source.sample === undefined ? undefined : await toContent('sample', source.sample, extname(source.sample));
  const contents = [
    ...parts.map(({ content }) => content),
    ...captions.map(({ content }) => content),
    cover ?? [],
    sample ?? [],
  ].flat();
  const durationSeconds = facts.parts.reduce((sum, part) => sum + part.durationSeconds, 0);
  const title = omitUndefined({
    keys: getKeys(source, facts, isbn13),
    medium: facts.medium,
    name,
    subtitle: truncate(facts.subtitle),
    isbn13,
    authors: truncateAll(facts.authors),
    narrators: truncateAll(facts.narrators),
    publisher: truncate(facts.publisher),
    language: toLanguageTag(facts.language),
    series:
      facts.series && truncate(facts.series.name) ? { ...facts.series, name: truncate(facts.series.name) ?? '' } : undefined,
    publishedOn: facts.publishedOn,
    description: truncate(facts.description, 50_000),
    pages: facts.pages,
    durationSeconds: durationSeconds > 0 ? durationSeconds : undefined,
    cover:
      cover && facts.cover
        ? { file: cover.name, width: facts.cover.width, height: facts.cover.height, color: facts.cover.color }
        : undefined,
    items,
    sample: sample && [{ id: '1', name, file: sample.name, mimeType: getMimeType(sample.name) }],
    files: [...new Map(contents.map((each) => [each.name, { name: each.name, size: each.size }])).values()],
  });
  const subjects = [...new Set(facts.subjects.flatMap((each) => truncate(each, MAX_SUBJECT_CHARS) ?? []))].slice(0, MAX_SUBJECTS);
  return { title, contents, subjects, remarks: facts.remarks };
}

type MimeType = ImportedTitle['items'][number]['mimeType'];

/** The MIME type by the file's extension, which is always one of the supported ones. */
const getMimeType = (name: string): MimeType => getMediaType(name) as MimeType;

function getKeys({ path }: Source, { identifiers }: TitleFacts, isbn13: string | undefined): string[] {
  const ownIds = identifiers
    .filter((each) => parseIsbn(each) === undefined && isReliableId(each))
    .map((each) => `id:${each.trim()}`);
  const keys = [...new Set([...(isbn13 === undefined ? [] : [`isbn:${isbn13}`]), ...ownIds])]
    .filter((key) => key.length <= 5000)
    .slice(0, 6);
  // A file without an identifier is identified by its path.
  return keys.length > 0 ? keys : [`path:${path}`];
}
