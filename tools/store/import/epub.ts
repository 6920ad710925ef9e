import { BrokenPublication, demand } from '../../../server/publication/broken-publication.ts';
import { resolveHref } from '../../../server/publication/book-path.ts';
import { packagePath, readPackage, type PackageDocument } from '../../../server/publication/package-document.ts';
import { readPublication, type PublicationFacts } from '../../../server/publication/read-publication.ts';
import { decodeText } from '../../../server/publication/text-encoding.ts';
import { descendants, parseXml, textOf, type XmlElement } from '../../../server/publication/xml-tree.ts';
import { ZipArchive } from '../../../server/publication/zip-archive.ts';
import { readCover } from './cover.ts';
import { dayIn, noFacts, type Facts, type ReadCover } from './facts.ts';

const CONTAINER = 'META-INF/container.xml';
/** Bytes of a picture that may be a cover. */
const LARGEST_COVER = 32 * 2 ** 20;

/** Algorithms that hide fonts alone; readers undo them. Anything else is a lock that the shop has no key to. */
const OF_FONTS = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/;

/**
 * Reads an EPUB with all its chapters.
 * @throws BrokenPublication when it is broken, hostile or locked, or lacks a chapter
 */
export async function readEpub(file: string): Promise<Facts> {
  const facts = await readPublication(file);
  const archive = await ZipArchive.ofEntries(file, facts.entries);
  try {
    const xml = async (path: string): Promise<XmlElement> => {
      const entry = archive.entry(path);
      if (entry === undefined) throw new BrokenPublication(`${path} is missing`);
      return parseXml(decodeText(await archive.bytes(entry)), path);
    };
    const path = packagePath(await xml(CONTAINER));
    const book = readPackage(await xml(path), path);
    await checkChapters(archive, book, facts);
    const cover = await coverOf(archive, facts);
    const { metadata } = facts.manifest;
    const creators = metadata.author;
    const written = creators.filter(({ role }) => role === 'aut');
    return {
      ...noFacts,
      medium: 'epub',
      name: metadata.title || undefined,
      subtitle: metadata.subtitle,
      identifiers: [...new Set([facts.uniqueId, ...descendants(book.metadata, 'identifier').map(textOf)])].filter(
        (each) => each !== '',
      ),
      subjects: descendants(book.metadata, 'subject').map(textOf),
      authors: (written.length > 0 ? written : creators).map(({ name }) => name).filter((name) => name !== ''),
      publisher: metadata.publisher[0],
      language: metadata.language[0],
      series: seriesOf(book),
      publishedOn: dayIn(metadata.published),
      description: metadata.description,
      cover: cover === 'unreadable' ? undefined : cover,
      remarks: cover === 'unreadable' ? ['its cover is no picture that can be read, and is left out'] : [],
      parts: [{ file, name: '', durationSeconds: 0 }],
    };
  } finally {
    await archive.close();
  }
}

/** Every chapter is there, whole and not locked. */
async function checkChapters(archive: ZipArchive, book: PackageDocument, { encryption }: PublicationFacts): Promise<void> {
  const locked = [...encryption.values()].find((algorithm) => !OF_FONTS.test(algorithm));
  demand(locked === undefined, 'it is protected against copying', 'book_protected');
  for (const { item } of book.spine) {
    const entry = archive.entry(item.path ?? '');
    if (entry === undefined) throw new BrokenPublication(`its chapter ${item.href} is missing`);
    await archive.bytes(entry, LARGEST_COVER);
  }
}

async function coverOf(archive: ZipArchive, { manifest }: PublicationFacts): Promise<ReadCover | 'unreadable' | undefined> {
  const link = [...manifest.resources, ...manifest.readingOrder].find(
    ({ rel, type }) => rel?.includes('cover') && type.startsWith('image/'),
  );
  const entry = link && archive.entry(resolveHref('', link.href)?.path ?? '');
  if (entry === undefined) return link === undefined ? undefined : 'unreadable';
  try {
    return await readCover(await archive.bytes(entry, LARGEST_COVER));
  } catch {
    return 'unreadable';
  }
}

/** EPUB 3 has collections, of which one may be a series; Calibre writes names of its own. */
function seriesOf({ metadata }: PackageDocument): Facts['series'] {
  const meta = descendants(metadata, 'meta');
  const refined = (id: string, property: string): string =>
    textOf(meta.find(({ attributes }) => attributes['refines'] === `#${id}` && attributes['property'] === property));
  const collection = meta.find(({ attributes }) => {
    const isOne = attributes['property'] === 'belongs-to-collection' && attributes['refines'] === undefined;
    const id = attributes['id'] ?? '';
    // Those that do not say what they are count as series where they number their books.
    return isOne && (refined(id, 'collection-type') || (refined(id, 'group-position') && 'series')) === 'series';
  });
  const named = (name: string): string => meta.find(({ attributes }) => attributes['name'] === name)?.attributes['content'] ?? '';
  const name = collection === undefined ? named('calibre:series').trim() : textOf(collection);
  if (name === '') return undefined;
  const written =
    collection === undefined ? named('calibre:series_index') : refined(collection.attributes['id'] ?? '', 'group-position');
  const number = Number.parseFloat(written);
  return number >= 0 && number <= 1_000_000 ? { name, number } : { name };
}
