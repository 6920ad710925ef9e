import { mediaTypeOf } from './media-types.ts';
import type { PreparedPage } from './prepare-page.ts';
import { PreparedPages } from './prepared-pages.ts';
import type { PublicationFacts } from './read-publication.ts';
import { ZipArchive } from './zip-archive.ts';

/** What an EPUB says of itself; the manifest and the positions as the JSON that is sent. */
export type ReadPublication = Omit<PublicationFacts, 'manifest' | 'positions'> & { manifest: string; positions: string };

/** Reads what a store supplies, which may be made to keep a thread busy for ever. */
export type PublicationReader = {
  /** Throws BrokenPublication with the reason when the book is broken or hostile. */
  read(file: string): Promise<ReadPublication>;
  /** Throws BrokenPublication when the page cannot be shown safely. */
  preparePage(source: Buffer, type: string): Promise<PreparedPage>;
};

/** An EPUB, open and checked. Its resources come by `resource`; `close` when nothing is being read any more. */
export type Publication = Omit<ReadPublication, 'entries' | 'manifest' | 'positions'> & {
  archive: ZipArchive;
  manifest: Buffer;
  positions: Buffer;
  pages: PreparedPages;
};

/** Opens an EPUB file; throws BrokenPublication with the reason when it is broken or hostile. */
export async function openPublication(file: string, reader: PublicationReader): Promise<Publication> {
  const { entries, manifest, positions, ...facts } = await reader.read(file);
  return {
    ...facts,
    archive: await ZipArchive.ofEntries(file, entries),
    manifest: Buffer.from(manifest),
    positions: Buffer.from(positions),
    pages: new PreparedPages(async (source, type) => reader.preparePage(source, type)),
  };
}

/** What the package calls an entry, else what its ending says. A script is never served as one. */
export function entryType({ types }: Publication, name: string): string {
  const stated = types.get(name) ?? mediaTypeOf(name) ?? '';
  const type = /^[\w.+-]+\/[\w.+-]+(; charset=utf-8)?$/i.test(stated) ? stated.toLowerCase() : 'application/octet-stream';
  return /script|wasm/i.test(type) ? 'text/plain' : type;
}
