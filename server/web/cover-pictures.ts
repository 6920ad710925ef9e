import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { LimitedThreads, Overload } from '../base/limited-threads.ts';
import type { CoverFormat } from './cover-formats.ts';
import type { CoverTask } from './cover-worker.ts';

/** Most covers take less than a tenth of a second. */
const limits = { time: 15_000, memory: 64, queue: 256 };
/** Bytes of a file that is opened; a larger one is no cover. */
const LARGEST_FILE = 32 * 2 ** 20;
/** Milliseconds after which a cover that could not be made is tried again. */
const PATIENCE = 60 * 60 * 1000;

export type WantedCover = {
  /** of the title's media, and what it is called among those of all titles */
  folder: string;
  name: string;
  /** in that folder */
  file: string;
  width: number;
  format: CoverFormat;
};

/** Where a made cover is, below a folder. */
export type MadeCover = { folder: string; file: string };

/** Covers in the sizes that pages draw them in: each is made when somebody first asks for it, and kept on the disk. */
export class CoverPictures {
  readonly #kept: string;
  readonly #log: (error: unknown) => void;
  readonly #threads: LimitedThreads;
  readonly #underWay = new Map<string, Promise<boolean>>();
  /** A hostile file costs its time once an hour, however often it is asked for. */
  readonly #hopeless = new LRUCache<string, true>({ max: 10_000, ttl: PATIENCE });

  /**
   * @param kept where made covers are kept
   * @param log hears why a cover could not be made
   */
  constructor(kept: string, log: (error: unknown) => void) {
    this.#kept = kept;
    this.#log = log;
    this.#threads = new LimitedThreads(new URL('./cover-worker.ts', import.meta.url), 1, limits, log);
  }

  /**
   * The cover in that width, of the file as it is now; null when it cannot be made: the file is no picture or too large, too
   * many others are waited for, the disk is full. The log hears why.
   */
  async of({ folder, name, file, width, format }: WantedCover): Promise<MadeCover | null> {
    const source = join(folder, file);
    const found = await stat(source).catch(() => null);
    if (found === null || found.size > LARGEST_FILE) return null;
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

  /** Those who ask for one cover at once wait for the same work. */
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

  /** Half a file is never seen. It is as old as what it was made of, so that every shop process says the same of it. */
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

/** What was made of the same file before it changed. */
async function removeEarlier(folder: string): Promise<void> {
  const [parent, own] = [join(folder, '..'), folder.split('/').at(-1) ?? ''];
  const file = own.slice(0, own.lastIndexOf('.'));
  const earlier = (await readdir(parent)).filter((each) => each !== own && each.slice(0, each.lastIndexOf('.')) === file);
  await Promise.all(earlier.map((each) => rm(join(parent, each), { recursive: true, force: true })));
}
