import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openPublication, type Publication } from '../../../../server/publication/publication.ts';
import { readPublication, type PublicationFacts } from '../../../../server/publication/read-publication.ts';
import { isWellFormed } from '../../../../server/publication/well-formed.ts';
import { zip, type Piece } from './zip.ts';

export const container: Piece = {
  name: 'META-INF/container.xml',
  content: '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
};

type Parts = { metadata?: string; manifest?: string; spine?: string; spineAttributes?: string };

export const packageOf = ({ metadata = '', manifest = '', spine = '', spineAttributes = '' }: Parts = {}): Piece => ({
  name: 'OPS/book.opf',
  content: `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
    <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:test:1</dc:identifier>
      <dc:title>A small book</dc:title><dc:language>en</dc:language>${metadata}</metadata>
    <manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/>${manifest}</manifest>
    <spine ${spineAttributes}><itemref idref="one"/>${spine}</spine></package>`,
});

export const page = (name: string, body = '<p>Words.</p>'): Piece => ({
  name: `OPS/${name}`,
  content: `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>${body}</body></html>`,
});

export const smallBook = (...more: Piece[]): Piece[] => [container, packageOf(), page('one.xhtml'), ...more];

/** A folder of its own for one test, with the given files in it. */
export async function folderWith(files: Record<string, Buffer | string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-books-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

export async function bookFile(pieces: readonly Piece[]): Promise<string> {
  return join(await folderWith({ 'book.epub': zip(pieces) }), 'book.epub');
}

/** An open book, read in the test's own thread until the test is over, with its manifest and positions as values. */
export async function openedBook(
  file: string,
): Promise<{ publication: Publication } & Pick<PublicationFacts, 'manifest' | 'positions'>> {
  const facts = await readPublication(file);
  const [manifest, positions] = [JSON.stringify(facts.manifest), JSON.stringify(facts.positions)];
  const publication = await openPublication(file, {
    read: async () => ({ ...facts, manifest, positions }),
    isWellFormed: async (bytes) => isWellFormed(bytes),
  });
  onTestFinished(() => publication.archive.close());
  return { publication, manifest: facts.manifest, positions: facts.positions };
}
