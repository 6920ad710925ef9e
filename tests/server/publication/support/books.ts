import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openPublication, type Publication } from '../../../../server/publication/publication.ts';
import { readPublication, type PublicationFacts } from '../../../../server/publication/read-publication.ts';
import { readPage } from '../../../../server/publication/prepare-page.ts';
import { zip, type ZipPart } from './zip.ts';

/** A temporary folder for one test, with the given files. */
export async function createFolder(files: Record<string, Buffer | string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-books-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

export async function writeBook(pieces: readonly ZipPart[]): Promise<string> {
  return join(await createFolder({ 'book.epub': zip(pieces) }), 'book.epub');
}

/**
 * An open book, read in the test's own thread until the test is over, with its manifest and
 * positions as values.
 */
export async function openBook(
  file: string,
): Promise<{ publication: Publication } & Pick<PublicationFacts, 'manifest' | 'positions'>> {
  const facts = await readPublication(file);
  const [manifest, positions] = [JSON.stringify(facts.manifest), JSON.stringify(facts.positions)];
  const publication = await openPublication(file, {
    read: async () => ({ ...facts, manifest, positions }),
    readPage,
  });
  onTestFinished(() => publication.archive.close());
  return { publication, manifest: facts.manifest, positions: facts.positions };
}
