import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { LimitedThreads, Overload } from '../base/limited-threads.ts';
import type { Log } from '../base/log.ts';
import type { CoverFormat } from './cover-formats.ts';
import type { CoverTask } from './cover-worker.ts';

/** Limits of one cover; most covers take less than 100 ms. */
const threadLimits = { time: 15_000, memory: 64, queue: 256 };
/** Maximum bytes of a source file; a larger one is not a cover. */
const MAX_FILE_BYTES = 32 * 2 ** 20;
/** Milliseconds after which a failed cover is retried. */
const FAILED_COVER_CACHE_MS = 60 * 60 * 1000;

export type CoverRequest = {
  /** the title's media folder */
  folder: string;
  /** the folder's name among the media folders of all titles */
  name: string;
  /** file name in that folder */
  file: string;
  width: number;
  format: CoverFormat;
  /** fields of the event that reports a failure, such as the ids of the store and the title */
  logFields: object;
};

/** The file of a resized cover, in a folder. */
export type ResizedCover = { folder: string; file: string };

/** Covers in the sizes that pages show: each is made on its first request, and stored on disk. */
export class CoverPictures {
  readonly #coversFolder: string;
  readonly #log: Log;
  readonly #threads: LimitedThreads;
  readonly #pendingCovers = new Map<string, Promise<boolean>>();
  /** Failed covers, by their files: a hostile file costs its time once an hour at most. */
  readonly #failedCovers = new LRUCache<string, true>({ max: 10_000, ttl: FAILED_COVER_CACHE_MS });

  /**
   * @param coversFolder the folder of resized covers
   * @param log receives the reasons of failures, with the `logFields` of the cover
   */
  constructor(coversFolder: string, log: Log) {
    const logCrash = (err: unknown): void => log.error({ err }, 'cover.worker.crashed');
    this.#coversFolder = coversFolder;
    this.#log = log;
    this.#threads = new LimitedThreads(new URL('./cover-worker.ts', import.meta.url), 1, threadLimits, logCrash);
  }

  /**
   * The cover in the requested width and format, from the present file; null when the file is
   * missing, or the cover cannot be made (the reason of each attempt is logged): the file is not a
   * picture or too large, the queue is full, the disk is full.
   */
  async getOrMake({ folder, name, file, width, format, logFields }: CoverRequest): Promise<ResizedCover | null> {
    const source = join(folder, file);
    const stats = await stat(source).catch(() => null);
    if (stats === null) return null;
    const { size, mtime } = stats;
    const version = `${file.replaceAll(/[^\w.-]/g, '_')}.${size}-${mtime.getTime()}`;
    const cover = { folder: join(this.#coversFolder, name, version), file: `${width}.${format}` };
    const target = join(cover.folder, cover.file);
    if (await exists(target)) return cover;
    if (this.#failedCovers.has(target)) return null;
    if (size > MAX_FILE_BYTES) {
      this.#fail(target, new Error(`The cover has ${size} bytes: expected at most ${MAX_FILE_BYTES}.`), logFields);
      return null;
    }
    const task = { source, target, width, format };
    const pendingCover = this.#pendingCovers.get(target) ?? this.#startMaking(task, cover.folder, mtime, logFields);
    return (await pendingCover) ? cover : null;
  }

  close(): Promise<void> {
    return this.#threads.close();
  }

  /** Concurrent requests for a cover share the work. */
  #startMaking(task: CoverTask, folder: string, modifiedAt: Date, logFields: object): Promise<boolean> {
    const pendingCover = this.#make(task, folder, modifiedAt)
      .then(
        () => true,
        (error: unknown) => {
          this.#fail(task.target, error, logFields);
          return false;
        },
      )
      .finally(() => this.#pendingCovers.delete(task.target));
    this.#pendingCovers.set(task.target, pendingCover);
    return pendingCover;
  }

  /** Logs a failure; unless it was an overload, the cover is not retried for an hour. */
  #fail(target: string, error: unknown, logFields: object): void {
    if (!(error instanceof Overload)) this.#failedCovers.set(target, true);
    this.#log.warn({ err: error, ...logFields }, 'cover.resize.failed');
  }

  /**
   * Writes the cover under a temporary name, so that no partial file is served. The file's time is
   * that of the source, so that all shop processes send the same validators.
   */
  async #make(task: CoverTask, folder: string, modifiedAt: Date): Promise<void> {
    await mkdir(folder, { recursive: true });
    const temporaryFile = `${task.target}.${randomUUID()}`;
    try {
      await this.#threads.run('makeCover', { ...task, target: temporaryFile });
      await utimes(temporaryFile, modifiedAt, modifiedAt);
      await rename(temporaryFile, task.target);
    } catch (error) {
      await rm(temporaryFile, { force: true });
      throw error;
    }
    await removeEarlierVersions(folder);
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Deletes covers made from earlier versions of the same file. */
async function removeEarlierVersions(folder: string): Promise<void> {
  const [parent, folderName] = [join(folder, '..'), folder.split('/').at(-1) ?? ''];
  const file = folderName.slice(0, folderName.lastIndexOf('.'));
  const earlierFolders = (await readdir(parent)).filter(
    (each) => each !== folderName && each.slice(0, each.lastIndexOf('.')) === file,
  );
  await Promise.all(earlierFolders.map((each) => rm(join(parent, each), { recursive: true, force: true })));
}
