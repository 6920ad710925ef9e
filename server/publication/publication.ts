import { crc32 } from 'node:zlib';
import { getMediaType } from './media-types.ts';
import type { PageSource, PreparedPage } from './prepare-page.ts';
import { PreparedPages } from './prepared-pages.ts';
import type { PublicationFacts } from './read-publication.ts';
import { ZipArchive } from './zip-archive.ts';
import type { ZipEntry } from './zip-directory.ts';

/** The facts of an EPUB; the manifest and the positions as the JSON that is sent. */
export type ReadPublication = Omit<PublicationFacts, 'manifest' | 'positions'> & { manifest: string; positions: string };

/** Reads files supplied by stores, which may be crafted to keep a thread busy for ever. */
export type PublicationReader = {
  /** Throws BrokenPublication with the reason when the book is broken or hostile. */
  read(file: string): Promise<ReadPublication>;
  /** Throws BrokenPublication when the page is damaged or cannot be shown safely. */
  readPage(page: PageSource): Promise<PreparedPage>;
};

/** A document as it is sent, with a tag of its content. */
export type SentDocument = { body: Buffer; etag: string };

/**
 * An EPUB, open and checked. Its resources are read by `readResource`; close its archive when
 * reading is finished.
 */
export type Publication = Omit<ReadPublication, 'entries' | 'manifest' | 'positions'> & {
  archive: ZipArchive;
  manifest: SentDocument;
  positions: SentDocument;
  /** A page as it is sent, by its entry. */
  page(entry: ZipEntry): Promise<PreparedPage>;
};

/** Opens an EPUB file; throws BrokenPublication with the reason when it is broken or hostile. */
export async function openPublication(file: string, reader: PublicationReader): Promise<Publication> {
  const { entries, manifest, positions, ...facts } = await reader.read(file);
  const pages = new PreparedPages(async (page) => reader.readPage(page));
  return {
    ...facts,
    archive: await ZipArchive.ofEntries(file, entries),
    manifest: toDocument(manifest),
    positions: toDocument(positions),
    page: async (entry) => pages.get({ file, entry, type: getEntryType(facts, entry.name) }),
  };
}

function toDocument(json: string): SentDocument {
  const body = Buffer.from(json);
  return { body, etag: `"${crc32(body).toString(16)}-${body.length.toString(16)}"` };
}

/**
 * The media type that the package declares for an entry, else that of its extension. Scripts are
 * never served as scripts.
 */
export function getEntryType({ types }: Pick<Publication, 'types'>, name: string): string {
  const declaredType = types.get(name) ?? getMediaType(name) ?? '';
  const type = /^[\w.+-]+\/[\w.+-]+(; charset=utf-8)?$/i.test(declaredType)
    ? declaredType.toLowerCase()
    : 'application/octet-stream';
  return /script|wasm/i.test(type) ? 'text/plain' : type;
}
