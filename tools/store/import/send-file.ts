import { open, type FileHandle } from 'node:fs/promises';
import type { ImportedFile } from '../../../server/importing/imported-title.ts';
import { CHUNK_BYTES, type TitleFiles, WrongOffset } from '../../../server/importing/title-files.ts';
import type { TitleOfStore } from '../../../server/media/folders.ts';
import { BadSource, type Content } from './read-source.ts';

/** The destination of title files: the folder of a shop, or a running shop. */
export type TitleFileStore = Pick<TitleFiles, 'have' | 'add'>;

async function readChunk(handle: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, offset);
  if (bytesRead === 0) throw new BadSource('it was truncated while it was read. Import it again');
  return buffer.subarray(0, bytesRead);
}

/**
 * Sends a file in chunks, resuming where an earlier run was interrupted.
 * @throws BadSource, BadOperation
 */
export async function sendFile(files: TitleFileStore, title: TitleOfStore, { name, size, source }: Content): Promise<void> {
  const file: ImportedFile = { name, size };
  const handle = typeof source === 'string' ? await open(source) : undefined;
  const read = (offset: number, length: number): Promise<Uint8Array> | Uint8Array =>
    handle ? readChunk(handle, offset, length) : (source as Uint8Array).subarray(offset, offset + length);
  try {
    let misses = 0;
    for (let sentBytes = await files.have(title, file); sentBytes < size;) {
      try {
        sentBytes = await files.add(title, file, sentBytes, await read(sentBytes, Math.min(CHUNK_BYTES, size - sentBytes)));
      } catch (error) {
        // Another import sends the same file, or a response was lost.
        if (!(error instanceof WrongOffset) || (misses += 1) > 10) throw error;
        sentBytes = error.have;
      }
    }
  } finally {
    await handle?.close();
  }
}
