import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';

/**
 * Young generation heap of V8 in MiB per thread. Without this limit Node takes up to 192 MiB beside
 * the limit for old objects, and keeps that memory.
 */
const YOUNG_GENERATION_MIB = 48;

export type ThreadLimits = {
  /** Milliseconds for one task, from when it starts. */
  time: number;
  /** Old generation heap of V8 in MiB per thread. */
  memory: number;
  /** Queue length: this many tasks with priority, and this many others. */
  queue: number;
  /** Queued tasks with the same key; without it, as many as others. */
  queuePerKey?: { first: number; others: number };
  /** Maximum milliseconds in the queue; without it, as long as two tasks may take. */
  wait?: number;
  /** Idle threads are kept: starting one takes longer than a task may wait. */
  stay?: true;
};

/** A task was aborted because it took too long. */
export class TaskTimeout extends Error {
  override name = 'TaskTimeout';
}

/** A task was aborted because it needed more memory than a thread has. */
export class TaskOutOfMemory extends Error {
  override name = 'TaskOutOfMemory';
}

/** A task was rejected, because the queue was full or its wait was too long. */
export class Overload extends Error {
  override name = 'Overload';
}

/**
 * The caller that a task is for. Few tasks of each key may wait at a time, so that no caller fills
 * the queue.
 */
export type TaskOwner = { key?: string; goesFirst?: boolean };

type QueuedTask = PromiseWithResolvers<void> & { key: string | undefined };

/**
 * A pool of threads that run the functions of one module, each task with limits of time and memory.
 * Threads start on demand, and end after some idle time.
 */
export class LimitedThreads {
  readonly #limits: ThreadLimits;
  readonly #threads: Piscina;
  readonly #queues: { first: QueuedTask[]; others: QueuedTask[] } = { first: [], others: [] };
  #lastWasFirst = false;
  #freeThreads: number;

  /** @param log receives errors of threads that crash outside a task */
  constructor(module: URL, count: number, limits: ThreadLimits, log: (error: unknown) => void) {
    this.#limits = limits;
    this.#freeThreads = count;
    this.#threads = new Piscina({
      filename: module.href,
      minThreads: limits.stay ? count : 0,
      maxThreads: count,
      idleTimeout: limits.stay ? Number.POSITIVE_INFINITY : 60_000,
      // The newest idle thread comes first, so that a task from `onStart` reaches the thread just
      // started.
      loadBalancer: (_, started) => started.findLast(({ currentUsage }) => currentUsage === 0) ?? null,
      resourceLimits: { maxOldGenerationSizeMb: limits.memory, maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    });
    // A thread may run out of memory after its task was aborted; without a listener that would end
    // the process.
    this.#threads.on('error', log);
  }

  /**
   * Calls the function `name`; throws TaskTimeout, TaskOutOfMemory, Overload, or the function's own
   * error. Tasks with `goesFirst` wait in a queue of their own, of the same size, which has
   * precedence. Every second turn goes to the other tasks, so that they never starve.
   * @param options.transferList parts of the task that are transferred rather than copied
   */
  async run(
    name: string,
    task: unknown,
    { transferList = [], ...owner }: TaskOwner & { transferList?: MessagePort[] } = {},
  ): Promise<unknown> {
    await this.#waitForThread(owner);
    const abortController = new AbortController();
    const timer = setTimeout(() => abortController.abort(), this.#limits.time);
    try {
      return await this.#threads.run(task, { name, signal: abortController.signal, transferList });
    } catch (error) {
      if (abortController.signal.aborted)
        throw new TaskTimeout(`The task exceeded its time limit of ${this.#limits.time} ms.`, { cause: error });
      const outOfMemory = error instanceof Error && Reflect.get(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY';
      throw outOfMemory
        ? new TaskOutOfMemory(`The task exceeded its memory limit of ${this.#limits.memory} MiB.`, { cause: error })
        : error;
    } finally {
      clearTimeout(timer);
      this.#releaseNextTask();
    }
  }

  /**
   * Calls the listener whenever a thread has started: a task that is run then is the first of that
   * thread, unless others came before it.
   */
  onStart(listener: () => void): void {
    this.#threads.on('workerCreate', listener);
  }

  /** Aborts running and queued tasks. */
  async close(): Promise<void> {
    const { first, others } = this.#queues;
    for (const { reject } of [...first.splice(0), ...others.splice(0)]) reject(new Error('The thread pool has been closed.'));
    await this.#threads.destroy();
  }

  /**
   * Waits for a free thread. Piscina never gets more tasks than it has threads: it would start no
   * thread for a task that waits behind an aborted one, and the time limit of a task would run
   * while it waits.
   */
  async #waitForThread({ key, goesFirst = false }: TaskOwner): Promise<void> {
    if (this.#freeThreads > 0) {
      this.#freeThreads--;
      return;
    }
    const { queue, queuePerKey, time, wait = 2 * time } = this.#limits;
    const kind = goesFirst ? 'first' : 'others';
    const queuedTasks = this.#queues[kind];
    if (queuedTasks.length >= queue) throw new Overload(`No free thread: ${queue} tasks are queued.`);
    if (key !== undefined && queuePerKey && queuedTasks.filter((task) => task.key === key).length >= queuePerKey[kind])
      throw new Overload(`No free thread: ${queuePerKey[kind]} tasks with the same key are queued.`);
    const queuedTask: QueuedTask = { ...Promise.withResolvers<void>(), key };
    queuedTasks.push(queuedTask);
    const timer = setTimeout(() => {
      queuedTasks.splice(queuedTasks.indexOf(queuedTask), 1);
      queuedTask.reject(new Overload(`No free thread within ${wait} ms.`));
    }, wait);
    await queuedTask.promise.finally(() => clearTimeout(timer));
  }

  #releaseNextTask(): void {
    const { first, others } = this.#queues;
    const isFirst = first.length > 0 && !(this.#lastWasFirst && others.length > 0);
    const next = (isFirst ? first : others).shift();
    if (next === undefined) return void this.#freeThreads++;
    this.#lastWasFirst = isFirst;
    next.resolve();
  }
}
