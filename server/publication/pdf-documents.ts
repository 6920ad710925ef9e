import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { readRange } from './byte-range.ts';
import { isRefusal, refusalIsOver } from './refusal.ts';
import type { Resource, Unsatisfiable } from './resource.ts';
import { realNow } from '../base/clock/time.ts';

/** Maximum number of documents whose additions are cached. */
const MAX_DOCUMENTS = 64;
/** Cache size in bytes of additions; one has 8 MiB at most. */
const MAX_KEPT_BYTES = 64 * 2 ** 20;

type MakeAddition = (path: string) => Promise<Buffer | null>;
type KnownAddition = {
  gathered: Promise<Buffer | null>;
  /** Length of the addition, set once it has been made. */
  bytes?: number;
  /** When making it turned out to be too expensive. */
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
  readonly #gather: MakeAddition;
  readonly #additions = new LRUCache<string, KnownAddition>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ bytes = 0 }, key) => bytes + key.length,
  });

  constructor(gather: MakeAddition) {
    this.#gather = gather;
  }

  /**
   * The document or the requested range; null for one that is sent unchanged. Throws
   * MissingAddition, or ENOENT for a missing file.
   */
  async resource(path: string, rangeHeader: string | undefined): Promise<Resource | Unsatisfiable | null> {
    const { size: before, mtimeMs } = await stat(path);
    const addition = await this.#additionOf(path, `${path}\0${before}\0${mtimeMs}`).catch((error: unknown) => {
      if (hasSeenAddition(rangeHeader, before))
        throw new MissingAddition('The end of this document cannot be made now.', { cause: error });
      // A reader that has not seen the addition can read the document without it.
      return null;
    });
    if (addition === null) return null;
    const size = before + addition.length;
    const range = readRange(rangeHeader, size);
    if (range === 'unsatisfiable') return { unsatisfiable: true, size };
    const { start, end } = range ?? { start: 0, end: size };
    const etag = `"${mtimeMs.toString(16)}-${size.toString(16)}"`;
    return { type: 'application/pdf', etag, size, range, body: readBytes(path, addition, before, start, end) };
  }

  /** Null for a document that needs no addition, which is final. */
  async #additionOf(path: string, key: string): Promise<Buffer | null> {
    const known = this.#additions.get(key);
    if (known !== undefined && !refusalIsOver(known.refusedAt)) return known.gathered;
    const addition: KnownAddition = { gathered: this.#gather(path) };
    this.#additions.set(key, addition);
    try {
      const gathered = await addition.gathered;
      // A later request may have replaced the entry in the meantime.
      if (this.#additions.peek(key) === addition) this.#additions.set(key, { ...addition, bytes: gathered?.length ?? 0 });
      return gathered;
    } catch (error) {
      if (isRefusal(error)) addition.refusedAt = realNow();
      // A retry may succeed.
      else this.#additions.delete(key);
      throw error;
    }
  }
}

/**
 * Whether a reader that has begun requests bytes beyond a file of `size` bytes: then it has seen
 * the addition.
 */
function hasSeenAddition(rangeHeader: string | undefined, size: number): boolean {
  const [, start = '', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(rangeHeader?.trim() ?? '') ?? [];
  return Number(start) > 0 && Math.max(Number(start), Number(last)) >= size;
}

/** Bytes from `start` up to `end` of a file with an addition after its `before` bytes. */
function readBytes(path: string, addition: Buffer, before: number, start: number, end: number): Readable | Buffer {
  const added = addition.subarray(Math.max(0, start - before), Math.max(0, end - before));
  if (start >= before) return added;
  const file = createReadStream(path, { start, end: Math.min(end, before) - 1 });
  if (end <= before) return file;
  return Readable.from(concat(file, added), { objectMode: false });
}

async function* concat(file: Readable, added: Buffer): AsyncGenerator<Buffer> {
  for await (const chunk of file) yield chunk as Buffer;
  yield added;
}
