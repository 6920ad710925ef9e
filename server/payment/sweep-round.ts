import { PaymentUnknown } from './port.ts';
import type { PaymentServices } from './payment-services.ts';

/** Consecutive unanswered calls before the gateway's health is checked. */
const MAX_UNANSWERED = 5;

type SweepTask<Row> = {
  rows: Row[];
  /** stores the time of this attempt, so that the next sweep starts with other rows */
  markSwept: (row: Row) => Promise<unknown>;
  /**
   * @returns whether anything changed
   * @throws PaymentUnknown
   */
  settle: (row: Row) => Promise<boolean>;
  /** fields of the log entry that identify the row */
  describe: (row: Row) => object;
  /** event of the log, like `payment.reconcile`; `.timeout` or `.failed` is added */
  event: string;
};

/**
 * One sweep over open rows, each of which needs the gateway. A row that fails or gets no answer
 * does not block the others; the sweep ends if the gateway is down or the shop stops.
 */
export class SweepRound {
  readonly #services: Pick<PaymentServices, 'payment' | 'log'>;
  readonly #stopping: AbortSignal | undefined;
  #unanswered = 0;
  #isGatewayDown = false;

  constructor(services: Pick<PaymentServices, 'payment' | 'log'>, stopping?: AbortSignal) {
    this.#services = services;
    this.#stopping = stopping;
  }

  /** @returns how many rows changed */
  async run<Row>({ rows, markSwept, settle, describe, event }: SweepTask<Row>): Promise<number> {
    let changed = 0;
    for (const row of rows) {
      if (this.#isGatewayDown || this.#stopping?.aborted) break;
      try {
        await markSwept(row);
        if (await settle(row)) changed += 1;
        this.#unanswered = 0;
      } catch (error) {
        const isUnknown = error instanceof PaymentUnknown;
        const fields = { ...describe(row), willRetry: true };
        if (isUnknown) this.#services.log.warn({ err: error.cause, ...fields }, `${event}.timeout`);
        else this.#services.log.error({ err: error, ...fields }, `${event}.failed`);
        if (isUnknown) await this.#noteSilence();
      }
    }
    return changed;
  }

  async #noteSilence(): Promise<void> {
    this.#unanswered += 1;
    if (this.#unanswered < MAX_UNANSWERED) return;
    this.#isGatewayDown = !(await this.#services.payment.isUp());
    this.#unanswered = 0;
  }
}
