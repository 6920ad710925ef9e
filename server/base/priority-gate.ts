/**
 * Milliseconds for which a purchase has priority, and for which a list or page waits for purchases
 * at most.
 */
const MAX_HEAD_START_MS = 250;

/**
 * Maximum lists and pages that are released together: purchases that have arrived since are noticed
 * before the next group.
 */
const MAX_RELEASED_AT_ONCE = 4;

/** Lists and pages that run concurrently: leaves database connections for purchases. */
const MAX_CONCURRENT = 4;

/** Milliseconds after which work counts as hung, as on a connection that died unnoticed. */
const MAX_WORK_MS = 30_000;
const MAX_WAIT_MS = 10_000;

/** Thrown for work that cannot be done at the moment (HTTP 503). */
export class OverloadedError extends Error {
  override name = 'OverloadedError';
  readonly statusCode = 503;
}

/**
 * Admission control that gives purchases priority. Lists and pages wait while a purchase runs, but
 * only briefly, so that neither a crowd of visitors delays a purchase, nor a payment gateway that
 * does not answer delays visitors.
 */
export class PriorityGate {
  #runningPurchases = 0;
  /** Waiting lists and pages, first come first, each with its deadline. */
  readonly #waiting: { release: () => void; deadline: number }[] = [];
  #cancelRelease = (): void => {};
  #runningLists = 0;
  readonly #queuedLists: (() => void)[] = [];

  /** Runs a step of a purchase; lists and pages wait for the first 250 ms of it at most. */
  async runPurchase<T>(run: () => Promise<T>): Promise<T> {
    this.#runningPurchases += 1;
    let isAhead = true;
    const end = () => {
      if (!isAhead) return;
      isAhead = false;
      this.#runningPurchases -= 1;
      if (this.#runningPurchases === 0) this.#scheduleRelease();
    };
    const timer = setTimeout(end, MAX_HEAD_START_MS);
    try {
      return await run();
    } finally {
      clearTimeout(timer);
      end();
    }
  }

  /**
   * Waits until no purchase has priority, 250 ms at most. Waiting calls are released in small
   * groups.
   */
  waitForPurchases(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ release: resolve, deadline: performance.now() + MAX_HEAD_START_MS });
    if (this.#waiting.length === 1) this.#scheduleRelease();
    return promise;
  }

  /**
   * Releases waiting calls later, so that the response to a purchase that has just ended is sent
   * first.
   */
  #scheduleRelease(): void {
    this.#cancelRelease();
    const [next] = this.#waiting;
    if (next === undefined) return;
    const milliseconds = this.#runningPurchases === 0 ? 0 : next.deadline - performance.now();
    if (milliseconds > 0) {
      const timer = setTimeout(() => this.#releaseWaiting(), milliseconds);
      this.#cancelRelease = () => clearTimeout(timer);
    } else {
      const immediate = setImmediate(() => this.#releaseWaiting());
      this.#cancelRelease = () => clearImmediate(immediate);
    }
  }

  #releaseWaiting(): void {
    const now = performance.now();
    for (let released = 0; released < MAX_RELEASED_AT_ONCE; released += 1) {
      const [next] = this.#waiting;
      if (next === undefined || (this.#runningPurchases > 0 && next.deadline > now)) break;
      this.#waiting.shift();
      next.release();
    }
    this.#scheduleRelease();
  }

  /**
   * Runs the work of a list or a page when it has a free slot.
   * @throws OverloadedError when the wait is too long, or the work hangs; its slot then goes to the
   * next list or page
   */
  async runList<T>(run: () => Promise<T>): Promise<T> {
    if (this.#runningLists >= MAX_CONCURRENT) await this.#waitForSlot();
    else this.#runningLists += 1;
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => timeout.reject(new OverloadedError(`A list or a page took longer than ${MAX_WORK_MS / 1000} s.`)),
      MAX_WORK_MS,
    );
    try {
      return await Promise.race([run(), timeout.promise]);
    } finally {
      clearTimeout(timer);
      const next = this.#queuedLists.shift();
      if (next) next();
      else this.#runningLists -= 1;
    }
  }

  #waitForSlot(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#queuedLists.splice(this.#queuedLists.indexOf(startWork), 1);
      reject(new OverloadedError(`A list or a page waited longer than ${MAX_WAIT_MS / 1000} s for a free slot.`));
    }, MAX_WAIT_MS);
    const startWork = () => {
      clearTimeout(timer);
      resolve();
    };
    this.#queuedLists.push(startWork);
    return promise;
  }
}
