import { open, type FileHandle } from 'node:fs/promises';
import type { ImportedFile } from '../../../server/importing/imported-title.ts';
import { PIECE, type TitleFiles, WrongPlace } from '../../../server/importing/title-files.ts';
import type { TitleOfStore } from '../../../server/media/folders.ts';
import { BadSource, type Content } from './read-source.ts';

/** Where the files of titles go: into the folder of a shop, or to one that runs. */
export type FilesOfTitles = Pick<TitleFiles, 'have' | 'add'>;

async function pieceOf(handle: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, at);
  if (bytesRead === 0) throw new BadSource('it has become shorter while it was read. Import it again');
  return buffer.subarray(0, bytesRead);
}

/** Sends a file piece by piece, from where an earlier run was broken off. @throws BadSource, BadOperation */
export async function sendFile(files: FilesOfTitles, title: TitleOfStore, { name, size, from }: Content): Promise<void> {
  const file: ImportedFile = { name, size };
  const handle = typeof from === 'string' ? await open(from) : undefined;
  const read = (at: number, length: number): Promise<Uint8Array> | Uint8Array =>
    handle ? pieceOf(handle, at, length) : (from as Uint8Array).subarray(at, at + length);
  try {
    let misses = 0;
    for (let have = await files.have(title, file); have < size;) {
      try {
        have = await files.add(title, file, have, await read(have, Math.min(PIECE, size - have)));
      } catch (error) {
        // Another import sends the same file, or an answer was lost.
        if (!(error instanceof WrongPlace) || (misses += 1) > 10) throw error;
        have = error.have;
      }
    }
  } finally {
    await handle?.close();
  }
}
