import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { parseRoute } from '../../machines/flows/routes.ts';
import type { RenderedPage, RenderTask } from '../../machines/model/store/server-rendering.ts';
import type { ServerConfig } from '../base/config.ts';
import { LimitedThreads, Overload } from '../base/limited-threads.ts';
import type { Log } from '../base/log.ts';
import { toCacheable, type SharedAnswer } from '../stores/shared-answer-cache.ts';
import { callOwnApi } from './call-api.ts';
import type { RenderRequest, RenderJob, RenderReply } from './render-worker.ts';
import { shopNow } from '../base/clock/time.ts';

/**
 * Milliseconds that a visitor waits for a rendered screen; after that the page is sent without the
 * screen, which is cached for later visitors.
 */
const RENDER_BUDGET_MS = 300;

/**
 * Milliseconds after which rendering a page is aborted together with its thread; loading the
 * program alone takes seconds on a busy machine.
 */
const MAX_RENDER_MS = 20_000;

const threadLimits = { time: MAX_RENDER_MS, memory: 512, queue: 8, stay: true } as const;

/**
 * Half of the processors, at most four: the others serve requests, each thread takes some 100 MB,
 * and most pages are cached.
 */
const threadCount = Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)));

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
/** Bytes of a cache entry for a name, beside the texts of the name and its key. */
const NAME_OVERHEAD_BYTES = 200;
/**
 * Maximum bytes of a cache entry, in which a page's text counts twice, for its compressed form too;
 * a page with a larger entry is rendered for each visitor.
 */
const MAX_PAGE_BYTES = 2 ** 20;
/** Bytes of a cached page, beside its text and its compressed form. */
const ENTRY_OVERHEAD_BYTES = 1024;

/**
 * The outcome of a page that may be server-rendered: `rendered` for this visitor, or `cached`; or
 * sent without a rendered screen, since rendering took too long (`late`), the screen cannot be
 * rendered (`notRenderable`), rendering `failed`, or it was `refused`, as by a full queue.
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
  /** Whether the page may be cached. */
  isCacheable: boolean;
  /** Whether the address leads to a not-found page. */
  isNotFound: () => Promise<boolean>;
};

/**
 * Renders first screens on worker threads with the rendering program of the pages' build, and
 * caches the pages. A failure never reaches the visitor: the page is then sent without a rendered
 * screen.
 */
export class PageRenderer {
  readonly #program: string;
  /** Milliseconds that a visitor waits for a rendered page; null: without a limit. */
  readonly #maxWaitMs: number | null;
  readonly #threads: LimitedThreads;
  readonly #log: Log;
  readonly #programLoaded: Promise<unknown>;
  #isClosed = false;
  readonly #pendingPages = new Map<string, Promise<SharedAnswer | UnrenderedOutcome>>();
  readonly #counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  #isRenderingNotFound = false;
  readonly #listeners = new Set<(task: RenderTask, rendered: RenderedPage) => void>();
  readonly #pages = createPageCache(MAX_PAGES_BYTES, PAGE_CACHE_MS);
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

  private constructor(program: string, maxWaitMs: number | null, log: Log) {
    const logCrash = (err: unknown): void => log.error({ err }, 'ssr.worker.crashed');
    this.#maxWaitMs = maxWaitMs;
    this.#program = pathToFileURL(program).href;
    this.#log = log;
    this.#threads = new LimitedThreads(new URL('render-worker.ts', import.meta.url), threadCount, threadLimits, logCrash);
    // A load error shows again with the first page.
    const warmUps = Array.from({ length: threadCount }, () => this.#warmUp());
    this.#programLoaded = Promise.all(warmUps).catch((err: unknown) => log.error({ err }, 'ssr.program_load.failed'));
    // Threads that start later replace lost ones.
    void this.#programLoaded.then(() => this.#threads.onStart(() => void this.#warmUp().catch(() => undefined)));
  }

  /** @returns undefined where rendering is off, or the build has no program for it */
  static open({ distFolder, ssr }: ServerConfig, log: Log): PageRenderer | undefined {
    if (distFolder === undefined || ssr === 'off') return undefined;
    const program = join(distFolder, 'ssr', 'render.js');
    return existsSync(program) ? new PageRenderer(program, ssr === 'always' ? null : RENDER_BUDGET_MS, log) : undefined;
  }

  /** The cached page for exactly this request, if there is one. */
  cached(requestKey: string): SharedAnswer | undefined {
    const name = this.#names.get(requestKey);
    const page = name === undefined ? undefined : this.#pages.get(name);
    if (page) this.#counts.cached += 1;
    return page;
  }

  /** The rendered page, or undefined where the page is to be sent without rendering. */
  async page(request: FastifyRequest, pageRequest: PageRequest): Promise<SharedAnswer | undefined> {
    const { name } = pageRequest;
    const cachedPage = this.#pages.get(name);
    if (cachedPage) this.#names.set(pageRequest.requestKey, name);
    const storedPage = cachedPage ?? this.#notFound.get(name);
    const page =
      storedPage ??
      this.#notRendered.get(name) ??
      (await this.#waitInTime(this.#pendingPages.get(name) ?? this.#startRendering(request, pageRequest)));
    const isPage = typeof page === 'object';
    this.#counts[storedPage ? 'cached' : isPage ? 'rendered' : page] += 1;
    return isPage ? page : undefined;
  }

  /** The number of pages by outcome since the server was started. */
  counts(): Readonly<Record<Outcome, number>> {
    return this.#counts;
  }

  /** Calls the listener with each rendered screen, until the returned function is called. */
  onRendered(listener: (task: RenderTask, rendered: RenderedPage) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Resolves once the program is loaded and no page is being rendered. */
  async whenIdle(): Promise<void> {
    await this.#programLoaded;
    while (this.#pendingPages.size > 0) await Promise.all(this.#pendingPages.values());
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#threads.close();
  }

  async #waitInTime(rendering: Promise<SharedAnswer | UnrenderedOutcome>): Promise<SharedAnswer | UnrenderedOutcome | 'late'> {
    if (this.#maxWaitMs === null) return rendering;
    const timeout = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => timeout.resolve('late'), this.#maxWaitMs);
    try {
      return await Promise.race([rendering, timeout.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #startRendering(request: FastifyRequest, pageRequest: PageRequest): Promise<SharedAnswer | UnrenderedOutcome> {
    const rendering = this.#render(request, pageRequest).finally(() => this.#pendingPages.delete(pageRequest.name));
    this.#pendingPages.set(pageRequest.name, rendering);
    return rendering;
  }

  async #render(request: FastifyRequest, pageRequest: PageRequest): Promise<SharedAnswer | UnrenderedOutcome> {
    try {
      if (!(await pageRequest.isNotFound())) return await this.#renderInThread(request, pageRequest);
      // One not-found page at a time is rendered: a client that tries many unknown paths must not
      // delay other pages.
      if (this.#isRenderingNotFound) return 'refused';
      this.#isRenderingNotFound = true;
      return await this.#renderInThread(request, pageRequest).finally(() => (this.#isRenderingNotFound = false));
    } catch (error) {
      // Pages still waiting when the shop stops do not count as failures.
      if (error instanceof Overload || this.#isClosed) return 'refused';
      const { origin, language, pathname, search } = pageRequest.task;
      const { flow } = parseRoute({ pathname, search });
      this.#log.error({ err: error, origin, flow, language }, 'ssr.render.failed');
      return this.#fail(pageRequest.name, RETRY_AFTER_MS);
    }
  }

  /** Records a failed page. @param milliseconds until the page may be retried */
  #fail(name: string, milliseconds: number): 'failed' {
    if (this.#notRendered.get(name) !== 'failed') this.#notRendered.set(name, 'failed', { ttl: milliseconds });
    return 'failed';
  }

  async #renderInThread(
    request: FastifyRequest,
    { name, task, fill, isCacheable }: PageRequest,
  ): Promise<SharedAnswer | 'notRenderable' | 'failed'> {
    const startedAt = shopNow().getTime();
    const { rendered, wasAnswered } = await this.#runThread(request, { name, task });
    if (rendered === null) {
      // A screen without one of its answers may be complete at the next attempt.
      if (!wasAnswered) return this.#fail(name, RETRY_AFTER_MS);
      this.#notRendered.set(name, 'notRenderable');
      return 'notRenderable';
    }
    for (const listener of this.#listeners) listener(task, rendered);
    const page = toCacheable(await fill(rendered));
    // Browsers that get the missing answers reach another screen.
    const expiresAt = wasAnswered ? getNextChange(rendered, startedAt) : startedAt + RETRY_AFTER_MS;
    if (isCacheable) this.#cache(name, page, expiresAt);
    return page;
  }

  /**
   * @returns the rendered screen, and whether every call got an answer, at the latest at its repeat
   */
  async #runThread(request: FastifyRequest, { name, task }: Pick<PageRequest, 'name' | 'task'>) {
    const { port1: ownPort, port2: workerPort } = new MessageChannel();
    const failedPaths = new Set<string>();
    ownPort.on('message', (renderRequest: RenderRequest) => {
      void answerCall(request, renderRequest).then((reply) => {
        if ('answer' in reply && reply.answer.status < 500) failedPaths.delete(renderRequest.path);
        else failedPaths.add(renderRequest.path);
        ownPort.postMessage(reply);
      });
    });
    try {
      const job: RenderJob = { program: this.#program, task, port: workerPort };
      const rendered = (await this.#threads.run('renderPage', job, { transferList: [workerPort] })) as RenderedPage | null;
      return { rendered, wasAnswered: failedPaths.size === 0 };
    } catch (error) {
      // The page would fail again, and may have blocked a thread for its whole time limit.
      if (!(error instanceof Overload)) this.#fail(name, PAGE_CACHE_MS);
      throw error;
    } finally {
      ownPort.close();
    }
  }

  #cache(name: string, page: SharedAnswer, expiresAt: number): void {
    const pages = page.status === 200 ? this.#pages : this.#notFound;
    const ttl = Math.min(pages.ttl, expiresAt - shopNow().getTime());
    if (ttl > 0) pages.set(name, page, { ttl });
  }

  #warmUp(): Promise<unknown> {
    return this.#threads.run('warmUp', { program: this.#program });
  }
}

/** The answer to an API call of the rendering program. */
async function answerCall(request: FastifyRequest, { id, path, language }: RenderRequest): Promise<RenderReply> {
  try {
    return { id, answer: await callOwnApi(request, path, language) };
  } catch (error) {
    return { id, failed: error instanceof Error ? error.message : String(error) };
  }
}
