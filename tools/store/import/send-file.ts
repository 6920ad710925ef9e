import { open, type FileHandle } from 'node:fs/promises';
import type { ImportedFile } from '../../../server/importing/imported-title.ts';
import { CHUNK_BYTES, type TitleFiles, WrongOffset } from '../../../server/importing/title-files.ts';
import type { TitleOfStore } from '../../../server/media/folders.ts';
import { BadSource, type Content } from './read-source.ts';

/** The destination of title files: the folder of a shop, or a running one. */
export type TitleFileStore = Pick<TitleFiles, 'have' | 'add'>;

async function readPiece(handle: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, at);
  if (bytesRead === 0) throw new BadSource('it was truncated while it was read. Import it again');
  return buffer.subarray(0, bytesRead);
}

/**
 * Sends a file in chunks, resuming where an earlier run was interrupted.
 * @throws BadSource, BadOperation
 */
export async function sendFile(files: TitleFileStore, title: TitleOfStore, { name, size, from }: Content): Promise<void> {
  const file: ImportedFile = { name, size };
  const handle = typeof from === 'string' ? await open(from) : undefined;
  const read = (at: number, length: number): Promise<Uint8Array> | Uint8Array =>
    handle ? readPiece(handle, at, length) : (from as Uint8Array).subarray(at, at + length);
  try {
    let misses = 0;
    for (let have = await files.have(title, file); have < size;) {
      try {
        have = await files.add(title, file, have, await read(have, Math.min(CHUNK_BYTES, size - have)));
      } catch (error) {
        // Another import sends the same file, or a response was lost.
        if (!(error instanceof WrongOffset) || (misses += 1) > 10) throw error;
        have = error.have;
      }
    }
  } finally {
    await handle?.close();
  }
}
