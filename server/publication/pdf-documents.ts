import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { Overload } from '../limited-threads.ts';
import { readRange } from './byte-range.ts';
import type { Resource, Unsatisfiable } from './resource.ts';

/** How many documents' additions are kept. */
const MOST = 64;

type Gather = (path: string) => Promise<Buffer | null>;

/** PDFs with the objects of their pages side by side at the end (`pdf-pages.ts`), made when a document is first asked for. */
export class PdfDocuments {
  readonly #gather: Gather;
  readonly #additions = new LRUCache<string, Promise<Buffer | null>>({ max: MOST });

  constructor(gather: Gather) {
    this.#gather = gather;
  }

  /** The document or the part that is asked for; null for one that is sent as it is. */
  async resource(path: string, rangeHeader: string | undefined): Promise<Resource | Unsatisfiable | null> {
    const { size: before, mtimeMs } = await stat(path);
    const addition = await this.#additionOf(path, `${path}\0${before}\0${mtimeMs}`);
    if (addition === null) return null;
    const size = before + addition.length;
    const range = readRange(rangeHeader, size);
    if (range === 'unsatisfiable') return { unsatisfiable: true, size };
    const { start, end } = range ?? { start: 0, end: size };
    const etag = `"${mtimeMs.toString(16)}-${size.toString(16)}"`;
    return { type: 'application/pdf', etag, size, range, body: bytesOf(path, addition, before, start, end) };
  }

  async #additionOf(path: string, key: string): Promise<Buffer | null> {
    const gathering = this.#additions.get(key) ?? this.#gather(path);
    this.#additions.set(key, gathering);
    try {
      return await gathering;
    } catch (error) {
      // Too much else is under way: the document is sent as it is this time.
      if (error instanceof Overload) this.#additions.delete(key);
      // One that cannot be made out is sent as it is for good: readers forgive more than we do.
      else this.#additions.set(key, Promise.resolve(null));
      return null;
    }
  }
}

/** Bytes from `start` up to `end` of a file with an addition behind its `before` bytes. */
function bytesOf(path: string, addition: Buffer, before: number, start: number, end: number): Readable | Buffer {
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
