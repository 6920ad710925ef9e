import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { LimitedThreads, Overload } from '../base/limited-threads.ts';
import type { CoverFormat } from './cover-formats.ts';
import type { CoverTask } from './cover-worker.ts';

/** Most covers take less than 100 ms. */
const limits = { time: 15_000, memory: 64, queue: 256 };
/** Maximum bytes of a source file; a larger one is not a cover. */
const MAX_FILE_BYTES = 32 * 2 ** 20;
/** Milliseconds after which a failed cover is retried. */
const FAILED_COVER_CACHE_MS = 60 * 60 * 1000;

export type WantedCover = {
  /** the title's media folder, and its name among those of all titles */
  folder: string;
  name: string;
  /** file name in that folder */
  file: string;
  width: number;
  format: CoverFormat;
};

/** The file of a resized cover, in a folder. */
export type MadeCover = { folder: string; file: string };

/** Covers in the sizes that pages show: each is made on its first request, and stored on disk. */
export class CoverPictures {
  readonly #kept: string;
  readonly #log: (error: unknown) => void;
  readonly #threads: LimitedThreads;
  readonly #underWay = new Map<string, Promise<boolean>>();
  /** A hostile file costs its time once an hour, however often it is asked for. */
  readonly #hopeless = new LRUCache<string, true>({ max: 10_000, ttl: FAILED_COVER_CACHE_MS });

  /**
   * @param kept the folder of resized covers
   * @param log receives the reasons of failures
   */
  constructor(kept: string, log: (error: unknown) => void) {
    this.#kept = kept;
    this.#log = log;
    this.#threads = new LimitedThreads(new URL('./cover-worker.ts', import.meta.url), 1, limits, log);
  }

  /**
   * The cover in that width, from the present file; null when it cannot be made (the reason is
   * logged): the file is not a picture or too large, the queue is full, the disk is full.
   */
  async getOrMake({ folder, name, file, width, format }: WantedCover): Promise<MadeCover | null> {
    const source = join(folder, file);
    const found = await stat(source).catch(() => null);
    if (found === null || found.size > MAX_FILE_BYTES) return null;
    const { size, mtime } = found;
    const state = `${file.replaceAll(/[^\w.-]/g, '_')}.${size}-${mtime.getTime()}`;
    const made = { folder: join(this.#kept, name, state), file: `${width}.${format}` };
    const target = join(made.folder, made.file);
    if (await exists(target)) return made;
    if (this.#hopeless.has(target)) return null;
    const underWay = this.#underWay.get(target) ?? this.#begin({ source, target, width, format }, made.folder, mtime);
    return (await underWay) ? made : null;
  }

  close(): Promise<void> {
    return this.#threads.close();
  }

  /** Concurrent requests for a cover share the work. */
  #begin(task: CoverTask, folder: string, changed: Date): Promise<boolean> {
    const working = this.#make(task, folder, changed)
      .then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof Overload)) this.#hopeless.set(task.target, true);
          this.#log(error);
          return false;
        },
      )
      .finally(() => this.#underWay.delete(task.target));
    this.#underWay.set(task.target, working);
    return working;
  }

  /**
   * Written under a temporary name, so that no partial file is served. Its time is that of the
   * source, so that all shop processes send the same validators.
   */
  async #make(task: CoverTask, folder: string, changed: Date): Promise<void> {
    await mkdir(folder, { recursive: true });
    const unfinished = `${task.target}.${randomUUID()}`;
    try {
      await this.#threads.run('makeCover', { ...task, target: unfinished });
      await utimes(unfinished, changed, changed);
      await rename(unfinished, task.target);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    await removeEarlier(folder);
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Deletes covers made from earlier versions of the same file. */
async function removeEarlier(folder: string): Promise<void> {
  const [parent, own] = [join(folder, '..'), folder.split('/').at(-1) ?? ''];
  const file = own.slice(0, own.lastIndexOf('.'));
  const earlier = (await readdir(parent)).filter((each) => each !== own && each.slice(0, each.lastIndexOf('.')) === file);
  await Promise.all(earlier.map((each) => rm(join(parent, each), { recursive: true, force: true })));
}
