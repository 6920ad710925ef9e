import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';

/**
 * MiB of a thread's heap for new objects, the young generation of V8. Without a limit Node takes up
 * to 192 MiB for them beside the limit for old objects, and keeps that memory.
 */
const YOUNG_GENERATION_MIB = 48;

export type ThreadLimits = {
  /** Milliseconds for one task, from when its turn comes. */
  time: number;
  /** MiB of a thread's heap for old objects. */
  memory: number;
  /** How many tasks may wait for their turn: so many that go first, and so many others. */
  queue: number;
  /** How many tasks with the same key may wait for their turn; without it, as many as others. */
  queuePerKey?: { first: number; others: number };
  /** Milliseconds that one waits for its turn at most; without it, as long as two others may take. */
  wait?: number;
  /** Threads stay when there is no work: starting one takes longer than a task may wait. */
  stay?: true;
};

/** A task that was given up because it took too long. */
export class TaskTimeout extends Error {
  override name = 'TaskTimeout';
}

/** A task that was given up because it needed more memory than a thread has. */
export class TaskOutOfMemory extends Error {
  override name = 'TaskOutOfMemory';
}

/** A task that was never begun: too many others came before it. */
export class Overload extends Error {
  override name = 'Overload';
}

/**
 * The caller that a task is for: of each, few tasks wait at a time, so that no caller fills the
 * queue.
 */
export type TaskOwner = { key?: string; goesFirst?: boolean };

type Turn = PromiseWithResolvers<void> & { key: string | undefined };

/**
 * Threads that run the functions of one module, each task in a limited time and memory. They start when there is work, and
 * end when there has been none for a while.
 */
export class LimitedThreads {
  readonly #limits: ThreadLimits;
  readonly #threads: Piscina;
  readonly #waiting: { first: Turn[]; others: Turn[] } = { first: [], others: [] };
  #lastWasFirst = false;
  #free: number;

  /** `log` hears of threads that die when nobody waits for their task any more. */
  constructor(module: URL, count: number, limits: ThreadLimits, log: (error: unknown) => void) {
    this.#limits = limits;
    this.#free = count;
    this.#threads = new Piscina({
      filename: module.href,
      minThreads: limits.stay ? count : 0,
      maxThreads: count,
      idleTimeout: limits.stay ? Number.POSITIVE_INFINITY : 60_000,
      // The one that was started last comes first, so that what `onStart` runs reaches it.
      loadBalancer: (_, started) => started.findLast(({ currentUsage }) => currentUsage === 0) ?? null,
      resourceLimits: { maxOldGenerationSizeMb: limits.memory, maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    });
    // A thread may run out of memory after its task has been given up; with no listener that would end the process.
    this.#threads.on('error', log);
  }

  /**
   * Calls the function `name`; throws TaskTimeout, TaskOutOfMemory, Overload, or what the function throws.
   * A task that `goesFirst` is let past the others that wait, and has as many places of its own.
   * Every second turn is one of the others', so that they are never kept out.
   * @param options.transferList what of the task is handed over rather than copied
   */
  async run(
    name: string,
    task: unknown,
    { transferList = [], ...owner }: TaskOwner & { transferList?: MessagePort[] } = {},
  ): Promise<unknown> {
    await this.#takeTurn(owner);
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(), this.#limits.time);
    try {
      return await this.#threads.run(task, { name, signal: giveUp.signal, transferList });
    } catch (error) {
      if (giveUp.signal.aborted) throw new TaskTimeout('This takes too long.', { cause: error });
      const outOfMemory = error instanceof Error && Reflect.get(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY';
      throw outOfMemory ? new TaskOutOfMemory('This takes too much memory.', { cause: error }) : error;
    } finally {
      clearTimeout(timer);
      this.#passTurnOn();
    }
  }

  /** Calls back whenever a thread has started: a task that is run then is the first of that thread, unless others came before it. */
  onStart(listener: () => void): void {
    this.#threads.on('workerCreate', listener);
  }

  /** What is running or waiting is given up. */
  async close(): Promise<void> {
    const { first, others } = this.#waiting;
    for (const { reject } of [...first.splice(0), ...others.splice(0)]) reject(new Error('The threads have been closed.'));
    await this.#threads.destroy();
  }

  /**
   * Piscina is given no more tasks than it has threads: it starts none for a task that waits behind one that was given up,
   * and the time of a task would begin while it waits.
   */
  async #takeTurn({ key, goesFirst = false }: TaskOwner): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    const overload = new Overload('Too many others came before.');
    const { queue, queuePerKey } = this.#limits;
    const kind = goesFirst ? 'first' : 'others';
    const waiting = this.#waiting[kind];
    if (waiting.length >= queue) throw overload;
    if (key !== undefined && queuePerKey && waiting.filter((turn) => turn.key === key).length >= queuePerKey[kind])
      throw overload;
    const turn: Turn = { ...Promise.withResolvers<void>(), key };
    waiting.push(turn);
    const timer = setTimeout(
      () => {
        waiting.splice(waiting.indexOf(turn), 1);
        turn.reject(overload);
      },
      this.#limits.wait ?? 2 * this.#limits.time,
    );
    await turn.promise.finally(() => clearTimeout(timer));
  }

  #passTurnOn(): void {
    const { first, others } = this.#waiting;
    const isFirst = first.length > 0 && !(this.#lastWasFirst && others.length > 0);
    const next = (isFirst ? first : others).shift();
    if (next === undefined) return void this.#free++;
    this.#lastWasFirst = isFirst;
    next.resolve();
  }
}
