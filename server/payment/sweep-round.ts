import { PaymentUnknown } from './port.ts';
import type { PaymentServices } from './payment-services.ts';

/** Consecutive calls with an unknown outcome before the gateway's health is checked. */
const MAX_UNKNOWN_OUTCOMES = 5;

type SweepTask<Row> = {
  rows: Row[];
  /** stores the time of this attempt, so that the next sweep starts with other rows */
  markSwept: (row: Row) => Promise<unknown>;
  /**
   * Brings a row up to date with the gateway.
   * @returns whether the row changed
   * @throws PaymentUnknown
   */
  settle: (row: Row) => Promise<boolean>;
  /** returns the log fields that identify the row */
  describe: (row: Row) => object;
  /** log event of a call whose outcome is unknown, such as `payment.reconcile.outcome_unknown` */
  unknownEvent: string;
  /** log event of any other error, such as `payment.reconcile.failed` */
  failedEvent: string;
};

/**
 * One sweep over open rows, each of which needs the gateway. A row whose call fails does not block
 * the others; the sweep ends if the gateway is down or the shop stops.
 */
export class SweepRound {
  readonly #services: Pick<PaymentServices, 'payment' | 'log'>;
  readonly #stopSignal: AbortSignal | undefined;
  #unknownOutcomes = 0;
  #isGatewayDown = false;

  constructor(services: Pick<PaymentServices, 'payment' | 'log'>, stopSignal?: AbortSignal) {
    this.#services = services;
    this.#stopSignal = stopSignal;
  }

  /** Settles the rows one after the other. @returns the number of changed rows */
  async run<Row>({ rows, markSwept, settle, describe, unknownEvent, failedEvent }: SweepTask<Row>): Promise<number> {
    let changedRows = 0;
    for (const row of rows) {
      if (this.#isGatewayDown || this.#stopSignal?.aborted) break;
      try {
        await markSwept(row);
        if (await settle(row)) changedRows += 1;
        this.#unknownOutcomes = 0;
      } catch (error) {
        const isUnknown = error instanceof PaymentUnknown;
        const fields = { ...describe(row), willRetry: true };
        if (isUnknown) this.#services.log.warn({ err: error.cause, ...fields }, unknownEvent);
        else this.#services.log.error({ err: error, ...fields }, failedEvent);
        if (isUnknown) await this.#countUnknownOutcome();
      }
    }
    return changedRows;
  }

  async #countUnknownOutcome(): Promise<void> {
    this.#unknownOutcomes += 1;
    if (this.#unknownOutcomes < MAX_UNKNOWN_OUTCOMES) return;
    this.#isGatewayDown = !(await this.#services.payment.isUp());
    this.#unknownOutcomes = 0;
  }
}
