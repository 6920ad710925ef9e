import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { readRange } from './byte-range.ts';
import { isRefusal, isRefusalOver } from './refusal.ts';
import type { Resource, Unsatisfiable } from './resource.ts';
import { realNow } from '../base/clock/time.ts';

/** Maximum number of documents whose additions are cached. */
const MAX_DOCUMENTS = 64;
/** Cache size in bytes of additions; one has 8 MiB at most. */
const MAX_CACHE_BYTES = 64 * 2 ** 20;

type MakeAddition = (path: string) => Promise<Buffer | null>;
type CachedAddition = {
  content: Promise<Buffer | null>;
  /** Length of the addition, set once it has been made. */
  bytes?: number;
  /** When making the addition turned out to be too expensive, in milliseconds since 1970. */
  refusedAt?: number;
};

/**
 * The requested range of a document needs an addition that cannot be made now; `cause` is the
 * reason.
 */
export class MissingAddition extends Error {
  override name = 'MissingAddition';
}

/**
 * PDFs with the objects of their pages side by side at the end (`pdf-pages.ts`), made on the first
 * request of a document.
 */
export class PdfDocuments {
  readonly #makeAddition: MakeAddition;
  readonly #additions = new LRUCache<string, CachedAddition>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ bytes = 0 }, key) => bytes + key.length,
  });

  constructor(makeAddition: MakeAddition) {
    this.#makeAddition = makeAddition;
  }

  /**
   * The document or the requested range; null for a document that is sent unchanged. Throws
   * MissingAddition, or ENOENT for a missing file.
   */
  async getResource(path: string, rangeHeader: string | undefined): Promise<Resource | Unsatisfiable | null> {
    const { size: originalSize, mtimeMs } = await stat(path);
    const addition = await this.#getAddition(path, `${path}\0${originalSize}\0${mtimeMs}`).catch((error: unknown) => {
      if (hasSeenAddition(rangeHeader, originalSize))
        throw new MissingAddition('The end of this document cannot be made now.', { cause: error });
      // A reader that has not seen the addition can read the document without it.
      return null;
    });
    if (addition === null) return null;
    const size = originalSize + addition.length;
    const range = readRange(rangeHeader, size);
    if (range === 'unsatisfiable') return { unsatisfiable: true, size };
    const { start, end } = range ?? { start: 0, end: size };
    const etag = `"${mtimeMs.toString(16)}-${size.toString(16)}"`;
    return { type: 'application/pdf', etag, size, range, body: readBytes(path, addition, originalSize, start, end) };
  }

  /** The addition to a document; null where it needs none, which is final. */
  async #getAddition(path: string, key: string): Promise<Buffer | null> {
    const cached = this.#additions.get(key);
    if (cached !== undefined && !isRefusalOver(cached.refusedAt)) return cached.content;
    const addition: CachedAddition = { content: this.#makeAddition(path) };
    this.#additions.set(key, addition);
    try {
      const content = await addition.content;
      // A later request may have replaced the entry in the meantime.
      if (this.#additions.peek(key) === addition) this.#additions.set(key, { ...addition, bytes: content?.length ?? 0 });
      return content;
    } catch (error) {
      if (isRefusal(error)) addition.refusedAt = realNow();
      // A retry may succeed.
      else this.#additions.delete(key);
      throw error;
    }
  }
}

/**
 * Whether a range after the beginning includes bytes beyond a file of `size` bytes: such a reader
 * has seen the addition.
 */
function hasSeenAddition(rangeHeader: string | undefined, size: number): boolean {
  const [, start = '', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(rangeHeader?.trim() ?? '') ?? [];
  return Number(start) > 0 && Math.max(Number(start), Number(last)) >= size;
}

/** Bytes from `start` up to `end` of a file with an addition after its `originalSize` bytes. */
function readBytes(path: string, addition: Buffer, originalSize: number, start: number, end: number): Readable | Buffer {
  const addedBytes = addition.subarray(Math.max(0, start - originalSize), Math.max(0, end - originalSize));
  if (start >= originalSize) return addedBytes;
  const file = createReadStream(path, { start, end: Math.min(end, originalSize) - 1 });
  if (end <= originalSize) return file;
  return Readable.from(concat(file, addedBytes), { objectMode: false });
}

async function* concat(file: Readable, addedBytes: Buffer): AsyncGenerator<Buffer> {
  for await (const chunk of file) yield chunk as Buffer;
  yield addedBytes;
}
