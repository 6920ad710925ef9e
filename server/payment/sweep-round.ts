import { PaymentUnknown } from './port.ts';
import type { PaymentServices } from './payment-services.ts';

/** Calls in a row without an answer before the gateway is asked whether it is there at all. */
const MAX_UNANSWERED = 5;

type Errand<Row> = {
  rows: Row[];
  /** writes down that the row has had its turn */
  noteTurn: (row: Row) => Promise<unknown>;
  /** @returns whether anything changed @throws PaymentUnknown */
  settle: (row: Row) => Promise<boolean>;
  /** for the log: which row it is, and that it could not be settled */
  describe: (row: Row) => object;
  failure: string;
};

/**
 * One round of questions to the gateway about what is left open. A row that gets no answer, or
 * fails, keeps no other waiting; the round ends where the gateway is not there, or the shop stops.
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
  async run<Row>({ rows, noteTurn, settle, describe, failure }: Errand<Row>): Promise<number> {
    let changed = 0;
    for (const row of rows) {
      if (this.#isGatewayDown || this.#stopping?.aborted) break;
      try {
        await noteTurn(row);
        if (await settle(row)) changed += 1;
        this.#unanswered = 0;
      } catch (error) {
        const isUnknown = error instanceof PaymentUnknown;
        this.#services.log.error({ err: isUnknown ? error.cause : error, ...describe(row) }, failure);
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
