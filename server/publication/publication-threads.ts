import { BrokenPublication } from './broken-publication.ts';
import { LimitedThreads, TaskOutOfMemory, type ThreadLimits } from '../base/limited-threads.ts';
import type { PageSource, PreparedPage } from './prepare-page.ts';
import type { PublicationReader, ReadPublication } from './publication.ts';
import type { TaskResult } from './publication-worker.ts';

/** Real books take less than a second, and a few MiB. */
const usualThreadLimits: ThreadLimits = { time: 15_000, memory: 256, queue: 32 };

const worker = new URL('./publication-worker.ts', import.meta.url);

/**
 * Reads books and pages on separate threads with limits of time and memory, so that a hostile one
 * delays only readers of other books that are not open yet. Pages have a thread of their own: their
 * cost is bounded, and customers who are reading are not held up.
 */
export class PublicationThreads implements PublicationReader {
  readonly #books: LimitedThreads;
  readonly #pages: LimitedThreads;

  constructor(log: (error: unknown) => void, limits: ThreadLimits = usualThreadLimits) {
    this.#books = new LimitedThreads(worker, 2, limits, log);
    this.#pages = new LimitedThreads(worker, 1, limits, log);
  }

  async read(file: string): Promise<ReadPublication> {
    return unwrapResult(this.#books.run('book', file) as Promise<TaskResult<ReadPublication>>);
  }

  async readPage(page: PageSource): Promise<PreparedPage> {
    return unwrapResult(this.#pages.run('page', page) as Promise<TaskResult<PreparedPage>>);
  }

  /** The addition to a PDF that puts its pages side by side; null when it needs none. */
  async gatherPages(path: string): Promise<Buffer | null> {
    const addition = (await this.#books.run('pdf', path)) as Uint8Array | null;
    return addition && Buffer.from(addition.buffer, addition.byteOffset, addition.length);
  }

  /** Aborts running reads. */
  async close(): Promise<void> {
    await Promise.all([this.#books.close(), this.#pages.close()]);
  }
}

async function unwrapResult<Value extends object>(task: Promise<TaskResult<Value>>): Promise<Value> {
  const result = await task.catch((error: unknown) => {
    throw error instanceof TaskOutOfMemory ? new BrokenPublication('reading it takes too much memory', 'book_too_large') : error;
  });
  if ('broken' in result) throw new BrokenPublication(result.broken, result.code);
  return result;
}
