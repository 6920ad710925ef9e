import { mediaTypeOf } from './media-types.ts';
import type { PageCheck } from './page-check.ts';
import type { PublicationFacts } from './read-publication.ts';
import { ZipArchive } from './zip-archive.ts';

/** What an EPUB says of itself; the manifest and the positions as the JSON that is sent. */
export type ReadPublication = Omit<PublicationFacts, 'manifest' | 'positions'> & { manifest: string; positions: string };

/** Reads what a store supplies, which may be made to keep a thread busy for ever. */
export type PublicationReader = {
  /** Throws BrokenPublication with the reason when the book is broken or hostile. */
  read(file: string): Promise<ReadPublication>;
  checkPage(page: Buffer): Promise<PageCheck>;
};

/** An EPUB, open and checked. Its resources come by `resource`; `close` when nothing is being read any more. */
export type Publication = Omit<ReadPublication, 'entries' | 'manifest' | 'positions'> & {
  archive: ZipArchive;
  manifest: Buffer;
  positions: Buffer;
  /** Looked up once for each page. */
  checkPage(name: string, page: Buffer): Promise<PageCheck>;
};

/** Opens an EPUB file; throws BrokenPublication with the reason when it is broken or hostile. */
export async function openPublication(file: string, reader: PublicationReader): Promise<Publication> {
  const { entries, manifest, positions, ...facts } = await reader.read(file);
  const known = new Map<string, Promise<PageCheck>>();
  return {
    ...facts,
    archive: await ZipArchive.ofEntries(file, entries),
    manifest: Buffer.from(manifest),
    positions: Buffer.from(positions),
    checkPage(name, page) {
      const answer = known.get(name) ?? reader.checkPage(page);
      known.set(name, answer);
      return answer;
    },
  };
}

/** What the package calls an entry, else what its ending says. A script is never served as one. */
export function entryType({ types }: Publication, name: string): string {
  const stated = types.get(name) ?? mediaTypeOf(name) ?? '';
  const type = /^[\w.+-]+\/[\w.+-]+(; charset=utf-8)?$/.test(stated) ? stated : 'application/octet-stream';
  return /script|wasm/i.test(type) ? 'text/plain' : type;
}
