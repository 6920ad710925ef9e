/** Milliseconds for which a purchase is let ahead, and for which whoever looks around waits at most. */
const AHEAD = 250;

/** Lists and pages that are worked out at once: the database has connections left for those who buy. */
const MOST_AT_ONCE = 4;

/**
 * Who goes first: those who buy. Lists and pages wait while a purchase is under way, though not for long, so that neither a
 * crowd of visitors holds up a purchase, nor a payment gateway that does not answer the visitors.
 */
export class Turns {
  #purchases = 0;
  readonly #afterPurchases = new Set<() => void>();
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
      if (this.#purchases === 0) for (const go of this.#afterPurchases) go();
    };
    const timer = setTimeout(end, AHEAD);
    try {
      return await run();
    } finally {
      clearTimeout(timer);
      end();
    }
  }

  /** Waits until no purchase goes ahead, a quarter of a second at most. */
  afterPurchases(): Promise<void> {
    if (this.#purchases === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        this.#afterPurchases.delete(go);
        resolve();
      };
      const timer = setTimeout(go, AHEAD);
      this.#afterPurchases.add(go);
    });
  }

  /** Works out a list or a page when it is its turn. */
  async list<T>(run: () => Promise<T>): Promise<T> {
    if (this.#working >= MOST_AT_ONCE) await new Promise<void>((resolve) => this.#queue.push(resolve));
    else this.#working += 1;
    try {
      return await run();
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#working -= 1;
    }
  }
}
