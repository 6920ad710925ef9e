import { AsyncLocalStorage } from 'node:async_hooks';

/** The request header with the number of ms that the shop's clock is ahead. */
export const CLOCK_HEADER = 'shop-clock-ahead';

/**
 * The time of the calling shop, whose clock an operator may have moved. Each request contains the
 * clock's offset, so shops with different times can share a gateway, which has no clock of its own.
 */
export class ShopTime {
  readonly #realTime: () => number;
  readonly #offset = new AsyncLocalStorage<number>();

  /** @param realTime the machine's time in ms since 1970 */
  constructor(realTime: () => number) {
    this.#realTime = realTime;
  }

  readonly now = (): number => this.#realTime() + this.getOffset();

  readonly getOffset = (): number => this.#offset.getStore() ?? 0;

  /** Returns the offset to store with a payment or setup, whose pages then use the shop's time. */
  stamp(): { clockAhead?: number } {
    const clockAhead = this.getOffset();
    return clockAhead === 0 ? {} : { clockAhead };
  }

  /** Runs work at the time of a shop. @param offsetMs ms that the shop's clock is ahead */
  run<Value>(offsetMs: number, work: () => Value): Value {
    return this.#offset.run(offsetMs, work);
  }
}
