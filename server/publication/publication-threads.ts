import { BrokenPublication } from './broken-publication.ts';
import { LimitedThreads, TaskOutOfMemory, type ThreadLimits } from '../base/limited-threads.ts';
import type { PageSource, PreparedPage } from './prepare-page.ts';
import type { PublicationReader, ReadPublication } from './publication.ts';
import type { Answer } from './publication-worker.ts';

/** Real books take less than a second, and a few MiB. */
const usualThreadLimits: ThreadLimits = { time: 15_000, memory: 256, queue: 32 };

const worker = new URL('./publication-worker.ts', import.meta.url);

/**
 * Reads books and pages on threads of their own, each in a limited time and memory, so that a hostile one keeps nobody
 * waiting but the readers of other books that have not been opened yet. Pages have a thread to themselves: their cost is
 * bounded, and those who are reading go on.
 */
export class PublicationThreads implements PublicationReader {
  readonly #books: LimitedThreads;
  readonly #pages: LimitedThreads;

  constructor(log: (error: unknown) => void, limits: ThreadLimits = usualThreadLimits) {
    this.#books = new LimitedThreads(worker, 2, limits, log);
    this.#pages = new LimitedThreads(worker, 1, limits, log);
  }

  async read(file: string): Promise<ReadPublication> {
    return answerOf(this.#books.run('book', file) as Promise<Answer<ReadPublication>>);
  }

  async readPage(page: PageSource): Promise<PreparedPage> {
    return answerOf(this.#pages.run('page', page) as Promise<Answer<PreparedPage>>);
  }

  /** What is to be appended to a PDF so that its pages stand side by side; null when nothing is. */
  async gatherPages(path: string): Promise<Buffer | null> {
    const addition = (await this.#books.run('pdf', path)) as Uint8Array | null;
    return addition && Buffer.from(addition.buffer, addition.byteOffset, addition.length);
  }

  /** What is being read is given up. */
  async close(): Promise<void> {
    await Promise.all([this.#books.close(), this.#pages.close()]);
  }
}

async function answerOf<Value extends object>(running: Promise<Answer<Value>>): Promise<Value> {
  const answer = await running.catch((error: unknown) => {
    throw error instanceof TaskOutOfMemory ? new BrokenPublication('reading it takes too much memory', 'book_too_large') : error;
  });
  if ('broken' in answer) throw new BrokenPublication(answer.broken, answer.code);
  return answer;
}
