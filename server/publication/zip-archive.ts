import { open, type FileHandle } from 'node:fs/promises';
import { Readable, pipeline } from 'node:stream';
import { createInflateRaw, crc32 } from 'node:zlib';
import { BrokenPublication, assertReadable } from './broken-publication.ts';
import type { ByteRange } from './byte-range.ts';
import { formatWord, readDirectory, type ZipEntry, usualLimits, type ZipLimits, findDirectory, readAt } from './zip-directory.ts';

const LOCAL_HEADER_SIGNATURE = 0x04034b50;
const CHUNK_BYTES = 64 * 1024;

/**
 * Random access to a zip container over one file handle. Reads are positioned, and no file is
 * written. The handle is never passed to `createReadStream`: destroying such a stream closes a
 * shared descriptor.
 */
export class ZipArchive {
  readonly #file: FileHandle;
  /** The files of the container, by name. */
  readonly entries: ReadonlyMap<string, ZipEntry>;
  readonly #limits: ZipLimits;

  private constructor(file: FileHandle, entries: ReadonlyMap<string, ZipEntry>, limits: ZipLimits) {
    this.#file = file;
    this.entries = entries;
    this.#limits = limits;
  }

  /**
   * Opens and checks a container; throws BrokenPublication when it is not a zip file or a hostile
   * one.
   */
  static async open(path: string, limits: ZipLimits = usualLimits): Promise<ZipArchive> {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const extent = await findDirectory(file, size);
      assertReadable(
        extent.entries <= limits.entries,
        `the container has too many entries: ${extent.entries}, expected at most ${limits.entries}`,
        'book_too_many',
      );
      assertReadable(
        extent.size <= limits.directoryBytes,
        `the central directory is too large: ${extent.size} bytes, expected at most ${limits.directoryBytes}`,
        'book_too_many',
      );
      assertReadable(
        extent.offset + extent.size <= size,
        `the central directory is outside the file: it ends at byte ${extent.offset + extent.size}, the file at byte ${size}`,
      );
      const directory = await readAt(file, extent.offset, extent.size);
      return new ZipArchive(file, readDirectory(directory, extent.entries, size, limits), limits);
    } catch (error) {
      await file.close();
      // A field that points outside its buffer means a damaged container, not a defect of this
      // code.
      throw error instanceof RangeError ? new BrokenPublication(`the container is damaged: ${error.message}`) : error;
    }
  }

  /** Opens a container that was checked before. */
  static async ofEntries(path: string, entries: ReadonlyMap<string, ZipEntry>): Promise<ZipArchive> {
    return new ZipArchive(await open(path, 'r'), entries, usualLimits);
  }

  entry(name: string): ZipEntry | undefined {
    return this.entries.get(name.normalize('NFC'));
  }

  /**
   * An entry's unpacked bytes, or a range of them. Fails with BrokenPublication when the entry is
   * damaged or its declared size is wrong.
   */
  async openStream(entry: ZipEntry, range: ByteRange = { start: 0, end: entry.size }): Promise<Readable> {
    const data = await this.#findDataOffset(entry);
    if (entry.stored) return this.#readRaw(data + range.start, data + range.end);
    const unpacked = createInflateRaw();
    // Errors reach the reader through the iteration below; the callback only keeps pipeline from
    // throwing them again.
    pipeline(this.#readRaw(data, data + entry.packed), unpacked, () => undefined);
    return Readable.from(limitToRange(entry, range, unpacked), { objectMode: false });
  }

  /** A whole entry, checked against its size and checksum. */
  async readBytes(entry: ZipEntry, maxBytes = this.#limits.xmlBytes): Promise<Buffer> {
    assertReadable(
      entry.size <= maxBytes,
      `${entry.name} is too large to be read at once: ${entry.size} bytes, expected at most ${maxBytes}`,
      'book_too_large',
    );
    const content = await this.#collect(entry);
    assertReadable(
      content.length === entry.size,
      `${entry.name} is damaged: it has ${content.length} bytes, expected ${entry.size}`,
    );
    const checksum = crc32(content);
    assertReadable(
      checksum === entry.crc,
      `${entry.name} is damaged: its CRC-32 is ${formatWord(checksum)}, expected ${formatWord(entry.crc)}`,
    );
    return content;
  }

  async #collect(entry: ZipEntry): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of await this.openStream(entry)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #findDataOffset(entry: ZipEntry): Promise<number> {
    const header = await readAt(this.#file, entry.offset, 30);
    const signature = header.readUInt32LE(0);
    assertReadable(
      signature === LOCAL_HEADER_SIGNATURE,
      `${entry.name}: signature ${formatWord(signature)} at byte ${entry.offset}, expected ${formatWord(LOCAL_HEADER_SIGNATURE)}`,
    );
    return entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  }

  #readRaw(start: number, end: number): Readable {
    const file = this.#file;
    async function* chunks(): AsyncGenerator<Buffer> {
      for (let position = start; position < end; position += CHUNK_BYTES)
        yield await readAt(file, position, Math.min(CHUNK_BYTES, end - position));
    }
    return Readable.from(chunks(), { objectMode: false });
  }
}

/**
 * Passes on the bytes of a range, stops reading after it, and enforces the entry's declared size.
 */
async function* limitToRange(
  entry: ZipEntry,
  { start, end }: ByteRange,
  unpacked: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let position = 0;
  try {
    for await (const chunk of unpacked) {
      const from = Math.max(0, start - position);
      const to = Math.min(chunk.length, end - position);
      position += chunk.length;
      assertReadable(
        position <= entry.size,
        `${entry.name} has a wrong size: at least ${position} bytes, declared are ${entry.size}`,
      );
      if (to > from) yield chunk.subarray(from, to);
      if (position >= end && end < entry.size) return;
    }
  } catch (error) {
    if (error instanceof BrokenPublication) throw error;
    throw new BrokenPublication(`${entry.name} is damaged: ${error instanceof Error ? error.message : String(error)}`);
  }
  assertReadable(position === entry.size, `${entry.name} has a wrong size: ${position} bytes, declared are ${entry.size}`);
}
