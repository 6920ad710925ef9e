import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { RenderedPage, RenderTask } from '../../machines/model/store/server-rendering.ts';
import type { ServerConfig } from '../base/config.ts';
import { LimitedThreads, Overload } from '../base/limited-threads.ts';
import { toCacheable, type SharedAnswer } from '../stores/shared-answer-cache.ts';
import { callOwnApi } from './own-api.ts';
import type { RenderRequest, RenderJob, RenderReply } from './render-worker.ts';
import { shopNow } from '../base/clock/time.ts';

/**
 * Milliseconds that a visitor waits for a rendered page; after that the page is sent without it,
 * and the next visitor gets the rendered one.
 */
const RENDER_BUDGET_MS = 300;

/**
 * Milliseconds after which rendering a page is aborted together with its thread; loading the
 * program alone takes seconds on a busy machine.
 */
const MAX_RENDER_MS = 20_000;

const limits = { time: MAX_RENDER_MS, memory: 512, queue: 8, stay: true } as const;

/**
 * Half of the processors, since the others serve requests: each thread takes some 100 MB, and most
 * pages are cached.
 */
const threads = Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)));

/** Cache TTL of pages in milliseconds: the content may depend on the day. */
const PAGE_CACHE_MS = 60_000;

/** Cache TTL in milliseconds of not-found pages, and of screens that cannot be rendered. */
const NOT_FOUND_CACHE_MS = 10_000;

/**
 * Milliseconds until a page that failed for an external reason is retried: each attempt makes
 * others wait.
 */
const RETRY_AFTER_MS = 2_000;

const MAX_PAGES_BYTES = 32 * 2 ** 20;
/**
 * Cache size in bytes of not-found pages: there may be any number of them, and they must not evict
 * other pages.
 */
const MAX_NOT_FOUND_BYTES = 2 * 2 ** 20;
const MAX_NAMES_BYTES = 2 ** 20;
/** Bytes of a name beside its text. */
const NAME_OVERHEAD_BYTES = 200;
/** Maximum bytes of a cached page; a longer one is rendered for each visitor. */
const MAX_PAGE_BYTES = 2 ** 20;
/** Bytes of a page beside its text, with its compressed form. */
const ENTRY_OVERHEAD_BYTES = 1024;

/**
 * The outcome of a page that may be server-rendered: rendered for this visitor, or `kept` (from the
 * cache); or sent without a rendered screen, since rendering took too long (`late`), the screen
 * cannot be rendered (`unfit`), rendering `failed`, or the queue was full (`refused`).
 */
const outcomes = ['rendered', 'cached', 'late', 'notRenderable', 'failed', 'refused'] as const;
type Outcome = (typeof outcomes)[number];
type UnrenderedOutcome = Extract<Outcome, 'notRenderable' | 'failed' | 'refused'>;

/** The time at which the screen changes; Infinity where it never does. */
const getNextChange = ({ changesAt }: RenderedPage, now: number): number =>
  Math.min(...changesAt.map((moment) => Date.parse(moment)).filter((moment) => moment > now));

const createPageCache = (bytes: number, milliseconds: number): LRUCache<string, SharedAnswer> =>
  new LRUCache({
    maxSize: bytes,
    maxEntrySize: MAX_PAGE_BYTES,
    ttl: milliseconds,
    sizeCalculation: ({ body }, name) => 2 * body.length + name.length + ENTRY_OVERHEAD_BYTES,
  });

type PageRequest = {
  /** Cache key: all values that the page depends on. */
  name: string;
  /** Cache key of the unchanged request, by which a cached page is found at once. */
  requestKey: string;
  task: RenderTask;
  /** Builds the page. */
  fill: (rendered: RenderedPage) => Promise<SharedAnswer>;
  /** Whether to cache it. */
  keeps: boolean;
  /** Whether the address leads to a not-found page. */
  isNotFound: () => Promise<boolean>;
};

/**
 * Renders first screens on worker threads by the program from the pages' build, and caches them. It
 * never fails: when there is no rendered page, the page is sent without one.
 */
export class PageRenderer {
  readonly #program: string;
  /** Milliseconds; null waits without a limit. */
  readonly #patience: number | null;
  readonly #threads: LimitedThreads;
  readonly #log: (error: unknown) => void;
  readonly #loaded: Promise<unknown>;
  #isClosed = false;
  readonly #underWay = new Map<string, Promise<SharedAnswer | UnrenderedOutcome>>();
  readonly #counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  #isRenderingNotFound = false;
  readonly #watching = new Set<(task: RenderTask, rendered: RenderedPage) => void>();
  readonly #kept = createPageCache(MAX_PAGES_BYTES, PAGE_CACHE_MS);
  readonly #notFound = createPageCache(MAX_NOT_FOUND_BYTES, NOT_FOUND_CACHE_MS);

  /** Pages that are not retried for a while, by their names. */
  readonly #notRendered = new LRUCache<string, 'notRenderable' | 'failed'>({
    maxSize: MAX_NAMES_BYTES,
    ttl: NOT_FOUND_CACHE_MS,
    sizeCalculation: (_, name) => name.length + NAME_OVERHEAD_BYTES,
  });

  /** Names of cached pages, by the keys of requests. */
  readonly #names = new LRUCache<string, string>({
    maxSize: MAX_NAMES_BYTES,
    sizeCalculation: (name, requestKey) => requestKey.length + name.length + NAME_OVERHEAD_BYTES,
  });

  private constructor(program: string, patience: number | null, log: (error: unknown) => void) {
    this.#patience = patience;
    this.#program = pathToFileURL(program).href;
    this.#log = log;
    this.#threads = new LimitedThreads(new URL('render-worker.ts', import.meta.url), threads, limits, log);
    // A load error shows again with the first page.
    this.#loaded = Promise.all(Array.from({ length: threads }, () => this.#warmUp())).catch(log);
    // Threads that start later replace lost ones.
    void this.#loaded.then(() => this.#threads.onStart(() => void this.#warmUp().catch(() => undefined)));
  }

  /** @returns undefined where rendering is off, or the build has no program for it */
  static open({ distFolder, ssr }: ServerConfig, log: (error: unknown) => void): PageRenderer | undefined {
    if (distFolder === undefined || ssr === 'off') return undefined;
    const program = join(distFolder, 'ssr', 'render.js');
    return existsSync(program) ? new PageRenderer(program, ssr === 'always' ? null : RENDER_BUDGET_MS, log) : undefined;
  }

  /** The cached page for exactly this request, if there is one. */
  cached(requestKey: string): SharedAnswer | undefined {
    const name = this.#names.get(requestKey);
    const page = name === undefined ? undefined : this.#kept.get(name);
    if (page) this.#counts.cached += 1;
    return page;
  }

  /** The rendered page, or undefined where the page is to be sent without rendering. */
  async page(request: FastifyRequest, wanted: PageRequest): Promise<SharedAnswer | undefined> {
    const { name } = wanted;
    const found = this.#kept.get(name);
    if (found) this.#names.set(wanted.requestKey, name);
    const known = found ?? this.#notFound.get(name);
    const page =
      known ?? this.#notRendered.get(name) ?? (await this.#inTime(this.#underWay.get(name) ?? this.#begin(request, wanted)));
    const isPage = typeof page === 'object';
    this.#counts[known ? 'cached' : isPage ? 'rendered' : page] += 1;
    return isPage ? page : undefined;
  }

  /** The number of pages by outcome since the server was started. */
  counts(): Readonly<Record<Outcome, number>> {
    return this.#counts;
  }

  /** Calls `watch` with each rendered screen, until the returned function is called. */
  onRendered(watch: (task: RenderTask, rendered: RenderedPage) => void): () => void {
    this.#watching.add(watch);
    return () => void this.#watching.delete(watch);
  }

  /** Resolves once the program is loaded and no page is being rendered. */
  async atRest(): Promise<void> {
    await this.#loaded;
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#threads.close();
  }

  async #inTime(ssr: Promise<SharedAnswer | UnrenderedOutcome>): Promise<SharedAnswer | UnrenderedOutcome | 'late'> {
    if (this.#patience === null) return ssr;
    const late = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => late.resolve('late'), this.#patience);
    try {
      return await Promise.race([ssr, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #begin(request: FastifyRequest, wanted: PageRequest): Promise<SharedAnswer | UnrenderedOutcome> {
    const ssr = this.#render(request, wanted).finally(() => this.#underWay.delete(wanted.name));
    this.#underWay.set(wanted.name, ssr);
    return ssr;
  }

  async #render(request: FastifyRequest, wanted: PageRequest): Promise<SharedAnswer | UnrenderedOutcome> {
    try {
      if (!(await wanted.isNotFound())) return await this.#renderInThread(request, wanted);
      // One at a time: a client that tries many unknown addresses must not delay other pages.
      if (this.#isRenderingNotFound) return 'refused';
      this.#isRenderingNotFound = true;
      return await this.#renderInThread(request, wanted).finally(() => (this.#isRenderingNotFound = false));
    } catch (error) {
      // Pages still waiting when the shop stops do not count as failures.
      if (error instanceof Overload || this.#isClosed) return 'refused';
      this.#log(error);
      return this.#fail(wanted.name, RETRY_AFTER_MS);
    }
  }

  /** @param milliseconds until it may be retried */
  #fail(name: string, milliseconds: number): 'failed' {
    if (this.#notRendered.get(name) !== 'failed') this.#notRendered.set(name, 'failed', { ttl: milliseconds });
    return 'failed';
  }

  async #renderInThread(
    request: FastifyRequest,
    { name, task, fill, keeps }: PageRequest,
  ): Promise<SharedAnswer | 'notRenderable' | 'failed'> {
    const begun = shopNow().getTime();
    const { rendered, wasAnswered } = await this.#runThread(request, { name, task });
    if (rendered === null) {
      // A screen without one of its answers may be complete at the next attempt.
      if (!wasAnswered) return this.#fail(name, RETRY_AFTER_MS);
      this.#notRendered.set(name, 'notRenderable');
      return 'notRenderable';
    }
    for (const watch of this.#watching) watch(task, rendered);
    const page = toCacheable(await fill(rendered));
    // Browsers get the missing answers, and reach another screen.
    const until = wasAnswered ? getNextChange(rendered, begun) : begun + RETRY_AFTER_MS;
    if (keeps) this.#keep(name, page, until);
    return page;
  }

  /**
   * @returns the rendered screen, and whether every call was answered, if only at a second attempt
   */
  async #runThread(request: FastifyRequest, { name, task }: Pick<PageRequest, 'name' | 'task'>) {
    const { port1: ours, port2: theirs } = new MessageChannel();
    const failing = new Set<string>();
    ours.on('message', (asked: RenderRequest) => {
      void answer(request, asked).then((reply) => {
        if ('answer' in reply && reply.answer.status < 500) failing.delete(asked.path);
        else failing.add(asked.path);
        ours.postMessage(reply);
      });
    });
    try {
      const job: RenderJob = { program: this.#program, task, port: theirs };
      const rendered = (await this.#threads.run('renderPage', job, { transferList: [theirs] })) as RenderedPage | null;
      return { rendered, wasAnswered: failing.size === 0 };
    } catch (error) {
      // It would fail again, and may have blocked a thread for its whole time limit.
      if (!(error instanceof Overload)) this.#fail(name, PAGE_CACHE_MS);
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

/** The answer to an API call of the rendering program. */
async function answer(request: FastifyRequest, { id, path, language }: RenderRequest): Promise<RenderReply> {
  try {
    return { id, answer: await callOwnApi(request, path, language) };
  } catch (error) {
    return { id, failed: error instanceof Error ? error.message : String(error) };
  }
}
