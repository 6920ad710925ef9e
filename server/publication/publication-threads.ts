import { Piscina } from 'piscina';
import { BrokenPublication } from './broken-publication.ts';
import type { PageCheck } from './page-check.ts';
import type { PublicationReader, ReadPublication } from './publication.ts';
import type { ReadAnswer } from './publication-worker.ts';

/** A book that could not be read in the time that there is; it may be again later. */
export class PublicationTimeout extends Error {
  override name = 'PublicationTimeout';
}

export type ThreadLimits = {
  /** Milliseconds for one book or page, those in the queue counted. */
  time: number;
  /** MiB of a thread's heap. */
  memory: number;
};

/** Real books take less than a second, and a few MiB. */
const usualThreadLimits: ThreadLimits = { time: 15_000, memory: 256 };

/**
 * Reads books and pages on threads of their own, each in a limited time and memory, so that a hostile one keeps nobody
 * waiting but the readers of other books that have not been opened yet. Pages have a thread to themselves: their cost is
 * bounded, and those who are reading go on.
 */
export class PublicationThreads implements PublicationReader {
  readonly #limits: ThreadLimits;
  readonly #books: Piscina;
  readonly #pages: Piscina;

  constructor(limits: ThreadLimits = usualThreadLimits) {
    this.#limits = limits;
    this.#books = startThreads(2, limits.memory);
    this.#pages = startThreads(1, limits.memory);
  }

  async read(file: string): Promise<ReadPublication> {
    const answer = (await run(this.#books, 'read', file, this.#limits.time)) as ReadAnswer;
    if ('broken' in answer) throw new BrokenPublication(answer.broken, answer.code);
    return answer;
  }

  /** A page that cannot be checked is taken for broken, which every browser shows all the same. */
  async checkPage(page: Buffer): Promise<PageCheck> {
    return run(this.#pages, 'checkPage', page, this.#limits.time).then(
      (answer) => answer as PageCheck,
      () => ({ wellFormed: false, mayNavigate: true }),
    );
  }

  /** What is being read is given up. */
  async close(): Promise<void> {
    await Promise.all([this.#books.destroy(), this.#pages.destroy()]);
  }
}

/** Threads start when there is work, and end when there has been none for a while. */
function startThreads(most: number, memory: number): Piscina {
  const filename = new URL('./publication-worker.ts', import.meta.url).href;
  return new Piscina({
    filename,
    minThreads: 0,
    maxThreads: most,
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: memory },
  });
}

async function run(threads: Piscina, name: string, task: unknown, time: number): Promise<unknown> {
  try {
    return await threads.run(task, { name, signal: AbortSignal.timeout(time) });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === 'AbortError') throw new PublicationTimeout('Reading this book takes too long.');
    if (Reflect.get(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw new BrokenPublication('reading it takes too much memory', 'book_too_large');
    }
    throw error;
  }
}
