import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openPublication, type Publication } from '../../../../server/publication/publication.ts';
import { readPublication, type PublicationFacts } from '../../../../server/publication/read-publication.ts';
import { readPage } from '../../../../server/publication/prepare-page.ts';
import { zip, type ZipEntryInput } from './zip.ts';

/** Creates a folder with these files; it is deleted at the end of the test. */
export async function createFolder(files: Record<string, Buffer | string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-books-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

export async function writeBook(entries: readonly ZipEntryInput[]): Promise<string> {
  return join(await createFolder({ 'book.epub': zip(entries) }), 'book.epub');
}

/**
 * Opens a book, read in the test's own thread; it is closed at the end of the test.
 * @returns the book, and its manifest and positions as objects
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
