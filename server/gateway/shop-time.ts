import { AsyncLocalStorage } from 'node:async_hooks';

/** The header by which a shop says how many milliseconds its clock is ahead. */
export const CLOCK_HEADER = 'shop-clock-ahead';

/**
 * The time of the calling shop, whose clock an operator may have moved. Each call carries it, so
 * that each shop on one gateway has its own time, and the gateway no clock that could differ.
 */
export class ShopTime {
  readonly #real: () => number;
  readonly #ahead = new AsyncLocalStorage<number>();

  /** @param real the machine's time, in milliseconds since 1970 */
  constructor(real: () => number) {
    this.#real = real;
  }

  readonly now = (): number => this.#real() + this.ahead();

  readonly ahead = (): number => this.#ahead.getStore() ?? 0;

  /** Kept with a payment or setup, whose pages, requested by customers, have its shop's time. */
  stamp(): { clockAhead?: number } {
    const clockAhead = this.ahead();
    return clockAhead === 0 ? {} : { clockAhead };
  }

  /** Runs work in the time of a shop. @param ahead milliseconds */
  run<Value>(ahead: number, work: () => Value): Value {
    return this.#ahead.run(ahead, work);
  }
}
