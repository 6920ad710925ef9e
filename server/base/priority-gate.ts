/**
 * Milliseconds for which a purchase has priority, and for which a list or page waits for purchases
 * at most.
 */
const MAX_HEAD_START_MS = 250;

/**
 * Lists and pages that are released at once: purchases that have arrived in the meantime are
 * noticed before the next group.
 */
const RELEASED_AT_ONCE = 4;

/** Lists and pages that run concurrently: leaves database connections for purchases. */
const MAX_CONCURRENT = 4;

/** Milliseconds after which work counts as hung, as on a connection that died unnoticed. */
const MAX_WORK_MS = 30_000;
const MAX_WAIT_MS = 10_000;

/** Thrown for work that cannot be done at the moment (HTTP 503). */
export class OverloadedError extends Error {
  override name = 'Busy';
  readonly statusCode = 503;
}

/**
 * Admission control that gives purchases priority. Lists and pages wait while a purchase runs, but
 * only briefly, so that neither a crowd of visitors delays a purchase, nor a payment gateway that
 * does not answer delays visitors.
 */
export class PriorityGate {
  #purchases = 0;
  /** Waiting lists and pages, first come first, each with its deadline. */
  readonly #waiting: { go: () => void; until: number }[] = [];
  #cancelLettingGo = (): void => {};
  #working = 0;
  readonly #queue: (() => void)[] = [];

  /** Runs a step of a purchase; no list or page starts for the first moments of it. */
  async runPurchase<T>(run: () => Promise<T>): Promise<T> {
    this.#purchases += 1;
    let isAhead = true;
    const end = () => {
      if (!isAhead) return;
      isAhead = false;
      this.#purchases -= 1;
      if (this.#purchases === 0) this.#letGoSoon();
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
    this.#waiting.push({ go: resolve, until: performance.now() + MAX_HEAD_START_MS });
    if (this.#waiting.length === 1) this.#letGoSoon();
    return promise;
  }

  /** Delayed so that the answer to a purchase that has just ended goes out first. */
  #letGoSoon(): void {
    this.#cancelLettingGo();
    const [first] = this.#waiting;
    if (first === undefined) return;
    const milliseconds = this.#purchases === 0 ? 0 : first.until - performance.now();
    if (milliseconds > 0) {
      const timer = setTimeout(() => this.#letGo(), milliseconds);
      this.#cancelLettingGo = () => clearTimeout(timer);
    } else {
      const turn = setImmediate(() => this.#letGo());
      this.#cancelLettingGo = () => clearImmediate(turn);
    }
  }

  #letGo(): void {
    const now = performance.now();
    for (let gone = 0; gone < RELEASED_AT_ONCE; gone += 1) {
      const [first] = this.#waiting;
      if (first === undefined || (this.#purchases > 0 && first.until > now)) break;
      this.#waiting.shift();
      first.go();
    }
    this.#letGoSoon();
  }

  /**
   * Runs the work of a list or a page when it has a free slot.
   * @throws Busy when the queue is full, the wait is too long, or the work hangs; its slot then
   * goes to the next
   */
  async runList<T>(run: () => Promise<T>): Promise<T> {
    if (this.#working >= MAX_CONCURRENT) await this.#wait();
    else this.#working += 1;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new OverloadedError('A list or a page took too long.')), MAX_WORK_MS);
    try {
      return await Promise.race([run(), late.promise]);
    } finally {
      clearTimeout(timer);
      const next = this.#queue.shift();
      if (next) next();
      else this.#working -= 1;
    }
  }

  #wait(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#queue.splice(this.#queue.indexOf(go), 1);
      reject(new OverloadedError('Too many lists and pages are waiting.'));
    }, MAX_WAIT_MS);
    const go = () => {
      clearTimeout(timer);
      resolve();
    };
    this.#queue.push(go);
    return promise;
  }
}
