import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Painted, PaintTask } from '../../machines/model/store/painting.ts';
import type { ServerConfig } from '../base/config.ts';
import { LimitedThreads, Overload } from '../base/limited-threads.ts';
import { keepable, type SharedAnswer } from '../stores/shared-answers.ts';
import { askOwnApi } from './own-api.ts';
import type { Asked, PaintJob, Told } from './paint-worker.ts';
import { shopNow } from '../base/clock/time.ts';

/** Milliseconds that a visitor waits for a painted page; who waits longer gets the plain one, and the next visitor this one. */
const PATIENCE = 300;

/** Milliseconds after which a page is given up for good, and its thread with it; the program itself takes seconds to load on a busy machine. */
const LONGEST = 20_000;

const limits = { time: LONGEST, memory: 512, queue: 8, stay: true } as const;

/** Half of the processors, for the other half serves: each thread takes some 100 MB, and most pages are kept. */
const threads = Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)));

/** Milliseconds for which a page is kept: what it shows may depend on the day. */
const FRESH = 60_000;

/** Milliseconds for which not-found pages are kept, and that a screen is none to paint. */
const SHORT = 10_000;

/** Milliseconds after which a page that failed by what is around it is tried again: each try makes others wait. */
const RETRY_AFTER = 2_000;

const BYTES = 32 * 2 ** 20;
/** Bytes of not-found pages: there may be any number of them, and they must push no other page out. */
const BYTES_OF_NOT_FOUND = 2 * 2 ** 20;
const BYTES_OF_NAMES = 2 ** 20;
/** Bytes that a name weighs besides its text. */
const OVERHEAD_OF_NAME = 200;
/** Bytes of one page; a longer one is painted for each visitor. */
const LONGEST_PAGE = 2 ** 20;
/** Bytes that a page weighs besides its text, with its compressed form. */
const OVERHEAD = 1024;

/**
 * What became of a page that may come painted: it was painted for this visitor, or `kept` from before; or it went out plain, since painting
 * took too long (`late`), its screen is none to paint (`unfit`), painting `failed`, or too many waited for it (`refused`).
 */
const outcomes = ['painted', 'kept', 'late', 'unfit', 'failed', 'refused'] as const;
type Outcome = (typeof outcomes)[number];
type Unpainted = Extract<Outcome, 'unfit' | 'failed' | 'refused'>;

/** The time from which on it is another screen; Infinity where nothing changes it. */
const nextChange = ({ changesAt }: Painted, now: number): number =>
  Math.min(...changesAt.map((moment) => Date.parse(moment)).filter((moment) => moment > now));

const pagesFor = (bytes: number, milliseconds: number): LRUCache<string, SharedAnswer> =>
  new LRUCache({
    maxSize: bytes,
    maxEntrySize: LONGEST_PAGE,
    ttl: milliseconds,
    sizeCalculation: ({ body }, name) => 2 * body.length + name.length + OVERHEAD,
  });

type Wanted = {
  /** All that the page depends on. */
  name: string;
  /** All of the request that it depends on, word for word: by this key a page that is kept is found at once. */
  requestKey: string;
  task: PaintTask;
  /** Puts the page together. */
  fill: (painted: Painted) => Promise<SharedAnswer>;
  /** Whether others will ask for it. */
  keeps: boolean;
  /** Whether there is nothing at its address. */
  isNotFound: () => Promise<boolean>;
};

/**
 * Paints first screens on threads of their own, by the program that the pages' build makes, and keeps them for a while. It never
 * fails: who cannot have a painted page gets the plain one.
 */
export class Painter {
  readonly #program: string;
  /** Null waits as long as it takes. */
  readonly #patience: number | null;
  readonly #threads: LimitedThreads;
  readonly #log: (error: unknown) => void;
  readonly #loaded: Promise<unknown>;
  #isClosed = false;
  readonly #underWay = new Map<string, Promise<SharedAnswer | Unpainted>>();
  readonly #counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  #isPaintingNotFound = false;
  readonly #watching = new Set<(task: PaintTask, painted: Painted) => void>();
  readonly #kept = pagesFor(BYTES, FRESH);
  readonly #notFound = pagesFor(BYTES_OF_NOT_FOUND, SHORT);

  /** What is not tried again for a while, by the names of pages. */
  readonly #unpainted = new LRUCache<string, 'unfit' | 'failed'>({
    maxSize: BYTES_OF_NAMES,
    ttl: SHORT,
    sizeCalculation: (_, name) => name.length + OVERHEAD_OF_NAME,
  });

  /** The names of pages that are kept, by the keys of requests. */
  readonly #names = new LRUCache<string, string>({
    maxSize: BYTES_OF_NAMES,
    sizeCalculation: (name, requestKey) => requestKey.length + name.length + OVERHEAD_OF_NAME,
  });

  private constructor(program: string, patience: number | null, log: (error: unknown) => void) {
    this.#patience = patience;
    this.#program = pathToFileURL(program).href;
    this.#log = log;
    this.#threads = new LimitedThreads(new URL('paint-worker.ts', import.meta.url), threads, limits, log);
    // One that cannot be loaded shows at the first page.
    this.#loaded = Promise.all(Array.from({ length: threads }, () => this.#warmUp())).catch(log);
    // Whatever starts later takes the place of a thread that was lost.
    void this.#loaded.then(() => this.#threads.onStart(() => void this.#warmUp().catch(() => undefined)));
  }

  /** @returns undefined where nothing is to be painted, or the build has no program for it */
  static open({ distFolder, painting }: ServerConfig, log: (error: unknown) => void): Painter | undefined {
    if (distFolder === undefined || painting === 'off') return undefined;
    const program = join(distFolder, 'painting', 'paint.js');
    return existsSync(program) ? new Painter(program, painting === 'always' ? null : PATIENCE, log) : undefined;
  }

  /** The page that is kept for just such a request, if there is one. */
  kept(requestKey: string): SharedAnswer | undefined {
    const name = this.#names.get(requestKey);
    const page = name === undefined ? undefined : this.#kept.get(name);
    if (page) this.#counts.kept += 1;
    return page;
  }

  /** The painted page, or undefined where the plain one is to be sent. */
  async page(request: FastifyRequest, wanted: Wanted): Promise<SharedAnswer | undefined> {
    const { name } = wanted;
    const found = this.#kept.get(name);
    if (found) this.#names.set(wanted.requestKey, name);
    const known = found ?? this.#notFound.get(name);
    const page =
      known ?? this.#unpainted.get(name) ?? (await this.#inTime(this.#underWay.get(name) ?? this.#begin(request, wanted)));
    const isPage = typeof page === 'object';
    this.#counts[known ? 'kept' : isPage ? 'painted' : page] += 1;
    return isPage ? page : undefined;
  }

  /** How many pages came to which end since the server was started. */
  counts(): Readonly<Record<Outcome, number>> {
    return this.#counts;
  }

  /** Calls `watch` with each rendered screen, until the returned function is called. */
  onPainted(watch: (task: PaintTask, painted: Painted) => void): () => void {
    this.#watching.add(watch);
    return () => void this.#watching.delete(watch);
  }

  /** Resolves once the program is there, and nothing is being painted. */
  async atRest(): Promise<void> {
    await this.#loaded;
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#threads.close();
  }

  async #inTime(painting: Promise<SharedAnswer | Unpainted>): Promise<SharedAnswer | Unpainted | 'late'> {
    if (this.#patience === null) return painting;
    const late = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => late.resolve('late'), this.#patience);
    try {
      return await Promise.race([painting, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #begin(request: FastifyRequest, wanted: Wanted): Promise<SharedAnswer | Unpainted> {
    const painting = this.#paint(request, wanted).finally(() => this.#underWay.delete(wanted.name));
    this.#underWay.set(wanted.name, painting);
    return painting;
  }

  async #paint(request: FastifyRequest, wanted: Wanted): Promise<SharedAnswer | Unpainted> {
    try {
      if (!(await wanted.isNotFound())) return await this.#paintByThread(request, wanted);
      // One at a time: whoever tries many addresses must keep no other page waiting.
      if (this.#isPaintingNotFound) return 'refused';
      this.#isPaintingNotFound = true;
      return await this.#paintByThread(request, wanted).finally(() => (this.#isPaintingNotFound = false));
    } catch (error) {
      // What is still to be painted when the shop stops is no failure.
      if (error instanceof Overload || this.#isClosed) return 'refused';
      this.#log(error);
      return this.#fail(wanted.name, RETRY_AFTER);
    }
  }

  /** @param milliseconds for which it is not tried again */
  #fail(name: string, milliseconds: number): 'failed' {
    if (this.#unpainted.get(name) !== 'failed') this.#unpainted.set(name, 'failed', { ttl: milliseconds });
    return 'failed';
  }

  async #paintByThread(request: FastifyRequest, { name, task, fill, keeps }: Wanted): Promise<SharedAnswer | 'unfit' | 'failed'> {
    const begun = shopNow().getTime();
    const { painted, wasAnswered } = await this.#runThread(request, { name, task });
    if (painted === null) {
      // A screen that lacks an answer may be whole at the next try.
      if (!wasAnswered) return this.#fail(name, RETRY_AFTER);
      this.#unpainted.set(name, 'unfit');
      return 'unfit';
    }
    for (const watch of this.#watching) watch(task, painted);
    const page = keepable(await fill(painted));
    // Browsers get the answers that were missing, and stand at another screen.
    const until = wasAnswered ? nextChange(painted, begun) : begun + RETRY_AFTER;
    if (keeps) this.#keep(name, page, until);
    return page;
  }

  /** @returns what was painted, and whether every call was answered, be it at a second try */
  async #runThread(request: FastifyRequest, { name, task }: Pick<Wanted, 'name' | 'task'>) {
    const { port1: ours, port2: theirs } = new MessageChannel();
    const failing = new Set<string>();
    ours.on('message', (asked: Asked) => {
      void answer(request, asked).then((told) => {
        if ('answer' in told && told.answer.status < 500) failing.delete(asked.path);
        else failing.add(asked.path);
        ours.postMessage(told);
      });
    });
    try {
      const job: PaintJob = { program: this.#program, task, port: theirs };
      const painted = (await this.#threads.run('paintPage', job, { transferList: [theirs] })) as Painted | null;
      return { painted, wasAnswered: failing.size === 0 };
    } catch (error) {
      // It breaks at the next try as well, and may have held a thread for as long as it could.
      if (!(error instanceof Overload)) this.#fail(name, FRESH);
      throw error;
    } finally {
      ours.close();
    }
  }

  #keep(name: string, page: SharedAnswer, until: number): void {
    const pages = page.status === 200 ? this.#kept : this.#notFound;
    const ttl = Math.min(pages.ttl, until - shopNow().getTime());
    if (ttl > 0) pages.set(name, page, { ttl });
  }

  #warmUp(): Promise<unknown> {
    return this.#threads.run('warmUp', { program: this.#program });
  }
}

/** What the painting program is told of a call. */
async function answer(request: FastifyRequest, { id, path, language }: Asked): Promise<Told> {
  try {
    return { id, answer: await askOwnApi(request, path, language) };
  } catch (error) {
    return { id, failed: error instanceof Error ? error.message : String(error) };
  }
}
