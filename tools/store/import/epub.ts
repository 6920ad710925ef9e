import { BrokenPublication, assertReadable } from '../../../server/publication/broken-publication.ts';
import { resolveHref } from '../../../server/publication/book-path.ts';
import { readPackagePath, readPackage, type PackageDocument } from '../../../server/publication/package-document.ts';
import { readPublication, type PublicationFacts } from '../../../server/publication/read-publication.ts';
import { decodeText } from '../../../server/publication/text-encoding.ts';
import { findDescendants, parseXml, getText, type XmlElement } from '../../../server/publication/xml-tree.ts';
import { ZipArchive } from '../../../server/publication/zip-archive.ts';
import { readCover } from './cover.ts';
import { parseDay, noFacts, type TitleFacts, type ReadCover } from './facts.ts';

const CONTAINER = 'META-INF/container.xml';
/** Maximum size of a cover image, in bytes. */
const MAX_COVER_BYTES = 32 * 2 ** 20;

/**
 * Algorithms that only obfuscate fonts; readers undo them. Any other one is DRM, for which the shop
 * has no key.
 */
const FONT_OBFUSCATION = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/;

/**
 * Reads an EPUB with all its chapters.
 * @throws BrokenPublication if it is broken, hostile or has DRM, or lacks a chapter
 */
export async function readEpub(file: string): Promise<TitleFacts> {
  const facts = await readPublication(file);
  const archive = await ZipArchive.ofEntries(file, facts.entries);
  try {
    const xml = async (path: string): Promise<XmlElement> => {
      const entry = archive.entry(path);
      if (entry === undefined) throw new BrokenPublication(`${path} is missing`);
      return parseXml(decodeText(await archive.bytes(entry)), path);
    };
    const path = readPackagePath(await xml(CONTAINER));
    const book = readPackage(await xml(path), path);
    await assertChapters(archive, book, facts);
    const cover = await readCoverOf(archive, facts);
    const { metadata } = facts.manifest;
    const creators = metadata.author;
    const written = creators.filter(({ role }) => role === 'aut');
    return {
      ...noFacts,
      medium: 'epub',
      name: metadata.title || undefined,
      subtitle: metadata.subtitle,
      identifiers: [...new Set([facts.uniqueId, ...findDescendants(book.metadata, 'identifier').map(getText)])].filter(
        (each) => each !== '',
      ),
      subjects: findDescendants(book.metadata, 'subject').map(getText),
      authors: (written.length > 0 ? written : creators).map(({ name }) => name).filter((name) => name !== ''),
      publisher: metadata.publisher[0],
      language: metadata.language[0],
      series: readSeries(book),
      publishedOn: parseDay(metadata.published),
      description: metadata.description,
      cover: cover === 'unreadable' ? undefined : cover,
      remarks: cover === 'unreadable' ? ['its cover is not a readable image, and is left out'] : [],
      parts: [{ file, name: '', durationSeconds: 0 }],
    };
  } finally {
    await archive.close();
  }
}

/** Checks that every chapter exists, is complete and not encrypted. */
async function assertChapters(archive: ZipArchive, book: PackageDocument, { encryption }: PublicationFacts): Promise<void> {
  const locked = [...encryption.values()].find((algorithm) => !FONT_OBFUSCATION.test(algorithm));
  assertReadable(locked === undefined, 'it is copy-protected (DRM)', 'book_protected');
  for (const { item } of book.spine) {
    const entry = archive.entry(item.path ?? '');
    if (entry === undefined) throw new BrokenPublication(`its chapter ${item.href} is missing`);
    await archive.bytes(entry, MAX_COVER_BYTES);
  }
}

async function readCoverOf(archive: ZipArchive, { manifest }: PublicationFacts): Promise<ReadCover | 'unreadable' | undefined> {
  const link = [...manifest.resources, ...manifest.readingOrder].find(
    ({ rel, type }) => rel?.includes('cover') && type.startsWith('image/'),
  );
  const entry = link && archive.entry(resolveHref('', link.href)?.path ?? '');
  if (entry === undefined) return link === undefined ? undefined : 'unreadable';
  try {
    return await readCover(await archive.bytes(entry, MAX_COVER_BYTES));
  } catch {
    return 'unreadable';
  }
}

/** EPUB 3 has collections, one of which may be a series; Calibre uses its own names. */
function readSeries({ metadata }: PackageDocument): TitleFacts['series'] {
  const meta = findDescendants(metadata, 'meta');
  const refined = (id: string, property: string): string =>
    getText(meta.find(({ attributes }) => attributes['refines'] === `#${id}` && attributes['property'] === property));
  const collection = meta.find(({ attributes }) => {
    const isOne = attributes['property'] === 'belongs-to-collection' && attributes['refines'] === undefined;
    const id = attributes['id'] ?? '';
    // A collection without a type counts as a series if it numbers its books.
    return isOne && (refined(id, 'collection-type') || (refined(id, 'group-position') && 'series')) === 'series';
  });
  const named = (name: string): string => meta.find(({ attributes }) => attributes['name'] === name)?.attributes['content'] ?? '';
  const name = collection === undefined ? named('calibre:series').trim() : getText(collection);
  if (name === '') return undefined;
  const written =
    collection === undefined ? named('calibre:series_index') : refined(collection.attributes['id'] ?? '', 'group-position');
  const number = Number.parseFloat(written);
  return number >= 0 && number <= 1_000_000 ? { name, number } : { name };
}
