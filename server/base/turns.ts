/** Milliseconds for which a purchase is let ahead, and for which whoever looks around waits at most. */
const AHEAD = 250;

/** Lists and pages that are let go at once: what has come from those who buy in the meantime is seen before the next ones. */
const LET_GO_AT_ONCE = 4;

/** Lists and pages that are worked out at once: the database has connections left for those who buy. */
const MOST_AT_ONCE = 4;

/** Milliseconds after which work counts as hung, as on a connection that has died unnoticed. */
const LONGEST_WORK = 30_000;
const LONGEST_WAIT = 10_000;

/** Thrown for what cannot be answered at the moment. */
export class Busy extends Error {
  override name = 'Busy';
  readonly statusCode = 503;
}

/**
 * Who goes first: those who buy. Lists and pages wait while a purchase is under way, though not for long, so that neither a
 * crowd of visitors holds up a purchase, nor a payment gateway that does not answer the visitors.
 */
export class Turns {
  #purchases = 0;
  /** Lists and pages that wait, those that came first in front, and when each goes on at the latest. */
  readonly #waiting: { go: () => void; until: number }[] = [];
  #cancelLettingGo = (): void => {};
  #working = 0;
  readonly #queue: (() => void)[] = [];

  /** Runs a step of a purchase; for a moment nobody else begins. */
  async purchase<T>(run: () => Promise<T>): Promise<T> {
    this.#purchases += 1;
    let isAhead = true;
    const end = () => {
      if (!isAhead) return;
      isAhead = false;
      this.#purchases -= 1;
      if (this.#purchases === 0) this.#letGoSoon();
    };
    const timer = setTimeout(end, AHEAD);
    try {
      return await run();
    } finally {
      clearTimeout(timer);
      end();
    }
  }

  /** Waits until no purchase goes ahead, a quarter of a second at most. Whoever waits goes on in small groups. */
  afterPurchases(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ go: resolve, until: performance.now() + AHEAD });
    if (this.#waiting.length === 1) this.#letGoSoon();
    return promise;
  }

  /** The answer to a purchase that has just ended goes out before. */
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
    for (let gone = 0; gone < LET_GO_AT_ONCE; gone += 1) {
      const [first] = this.#waiting;
      if (first === undefined || (this.#purchases > 0 && first.until > now)) break;
      this.#waiting.shift();
      first.go();
    }
    this.#letGoSoon();
  }

  /**
   * Works out a list or a page when it is its turn.
   * @throws Busy when its turn does not come, or the work hangs; its place goes to the next
   */
  async list<T>(run: () => Promise<T>): Promise<T> {
    if (this.#working >= MOST_AT_ONCE) await this.#wait();
    else this.#working += 1;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Busy('A list or a page takes too long.')), LONGEST_WORK);
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
      reject(new Busy('Too many lists and pages wait.'));
    }, LONGEST_WAIT);
    const go = () => {
      clearTimeout(timer);
      resolve();
    };
    this.#queue.push(go);
    return promise;
  }
}
