import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';

export type ThreadLimits = {
  /** Milliseconds for one task, from when its turn comes. */
  time: number;
  /** MiB of a thread's heap. */
  memory: number;
  /** How many tasks may wait for their turn. */
  queue: number;
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
 * Threads that run the functions of one module, each task in a limited time and memory. They start when there is work, and
 * end when there has been none for a while.
 */
export class LimitedThreads {
  readonly #limits: ThreadLimits;
  readonly #threads: Piscina;
  readonly #waiting: PromiseWithResolvers<void>[] = [];
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
      resourceLimits: { maxOldGenerationSizeMb: limits.memory },
    });
    // A thread may run out of memory after its task has been given up; with no listener that would end the process.
    this.#threads.on('error', log);
  }

  /**
   * Calls the function `name`; throws TaskTimeout, TaskOutOfMemory, Overload, or what the function throws.
   * A task that `goesFirst` is let past those who wait, and finds as many places again.
   * @param options.transferList what of the task is handed over rather than copied
   */
  async run(
    name: string,
    task: unknown,
    { goesFirst = false, transferList = [] }: { goesFirst?: boolean; transferList?: MessagePort[] } = {},
  ): Promise<unknown> {
    await this.#takeTurn(goesFirst);
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
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('The threads have been closed.'));
    await this.#threads.destroy();
  }

  /**
   * Piscina is given no more tasks than it has threads: it starts none for a task that waits behind one that was given up,
   * and the time of a task would begin while it waits.
   */
  async #takeTurn(goesFirst: boolean): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    const overload = new Overload('Too many others came before.');
    if (this.#waiting.length >= this.#limits.queue * (goesFirst ? 2 : 1)) throw overload;
    const turn = Promise.withResolvers<void>();
    if (goesFirst) this.#waiting.unshift(turn);
    else this.#waiting.push(turn);
    const timer = setTimeout(
      () => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        turn.reject(overload);
      },
      this.#limits.wait ?? 2 * this.#limits.time,
    );
    await turn.promise.finally(() => clearTimeout(timer));
  }

  #passTurnOn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next.resolve();
  }
}
