import { BrokenPublication, assertReadable } from '../../../server/publication/broken-publication.ts';
import { resolveHref } from '../../../server/publication/book-path.ts';
import { readPackagePath, readPackage, type PackageDocument } from '../../../server/publication/package-document.ts';
import { readPublication, type PublicationFacts } from '../../../server/publication/read-publication.ts';
import { decodeText } from '../../../server/publication/text-encoding.ts';
import { findDescendants, parseXml, getText, type XmlElement } from '../../../server/publication/xml-tree.ts';
import { ZipArchive } from '../../../server/publication/zip-archive.ts';
import { readCover } from './cover.ts';
import { parseDay, emptyFacts, type TitleFacts, type CoverImage } from './facts.ts';

const CONTAINER = 'META-INF/container.xml';
/** Maximum size of a cover image or a chapter, in bytes. */
const MAX_ENTRY_BYTES = 32 * 2 ** 20;

/**
 * Algorithms that only obfuscate fonts, which readers undo. Any other algorithm is DRM, for which
 * the shop has no key.
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
    const readXml = async (path: string): Promise<XmlElement> => {
      const entry = archive.entry(path);
      if (entry === undefined) throw new BrokenPublication(`${path} is missing`);
      return parseXml(decodeText(await archive.readBytes(entry)), path);
    };
    const path = readPackagePath(await readXml(CONTAINER));
    const book = readPackage(await readXml(path), path);
    await assertChapters(archive, book, facts);
    const cover = await extractCover(archive, facts);
    const { metadata } = facts.manifest;
    const creators = metadata.author;
    const writers = creators.filter(({ role }) => role === 'aut');
    return {
      ...emptyFacts,
      medium: 'epub',
      name: metadata.title || undefined,
      subtitle: metadata.subtitle,
      identifiers: [...new Set([facts.uniqueId, ...findDescendants(book.metadata, 'identifier').map(getText)])].filter(
        (each) => each !== '',
      ),
      subjects: findDescendants(book.metadata, 'subject').map(getText),
      authors: (writers.length > 0 ? writers : creators).map(({ name }) => name).filter((name) => name !== ''),
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
  const drmAlgorithm = [...encryption.values()].find((algorithm) => !FONT_OBFUSCATION.test(algorithm));
  assertReadable(drmAlgorithm === undefined, `it is copy-protected (DRM) by ${drmAlgorithm ?? ''}`, 'book_protected');
  for (const { item } of book.spine) {
    const entry = archive.entry(item.path ?? '');
    if (entry === undefined) throw new BrokenPublication(`its chapter ${item.href} is missing`);
    await archive.readBytes(entry, MAX_ENTRY_BYTES);
  }
}

async function extractCover(archive: ZipArchive, { manifest }: PublicationFacts): Promise<CoverImage | 'unreadable' | undefined> {
  const link = [...manifest.resources, ...manifest.readingOrder].find(
    ({ rel, type }) => rel?.includes('cover') && type.startsWith('image/'),
  );
  const entry = link && archive.entry(resolveHref('', link.href)?.path ?? '');
  if (entry === undefined) return link === undefined ? undefined : 'unreadable';
  try {
    return await readCover(await archive.readBytes(entry, MAX_ENTRY_BYTES));
  } catch {
    return 'unreadable';
  }
}

/** The series: a collection of that type in EPUB 3, else Calibre's own metadata. */
function readSeries({ metadata }: PackageDocument): TitleFacts['series'] {
  const meta = findDescendants(metadata, 'meta');
  const getRefinement = (id: string, property: string): string =>
    getText(meta.find(({ attributes }) => attributes['refines'] === `#${id}` && attributes['property'] === property));
  const collection = meta.find(({ attributes }) => {
    const isCollection = attributes['property'] === 'belongs-to-collection' && attributes['refines'] === undefined;
    const id = attributes['id'] ?? '';
    // A collection without a type counts as a series if it numbers its books.
    return (
      isCollection && (getRefinement(id, 'collection-type') || (getRefinement(id, 'group-position') && 'series')) === 'series'
    );
  });
  const getNamedMeta = (name: string): string =>
    meta.find(({ attributes }) => attributes['name'] === name)?.attributes['content'] ?? '';
  const name = collection === undefined ? getNamedMeta('calibre:series').trim() : getText(collection);
  if (name === '') return undefined;
  const position =
    collection === undefined
      ? getNamedMeta('calibre:series_index')
      : getRefinement(collection.attributes['id'] ?? '', 'group-position');
  const number = Number.parseFloat(position);
  return number >= 0 && number <= 1_000_000 ? { name, number } : { name };
}
