import * as v from 'valibot';
import { isOutcomeUnknown } from '../../../machines/model/problem.ts';
import { PaidFor } from '../../../machines/model/buying/purchase.ts';
import { Tax } from '../../../machines/model/buying/tax.ts';
import { Price } from '../../../machines/model/catalogue/title.ts';
import type { Api } from '../wire/client.ts';
import { toFetchProblem, throwProblem } from '../wire/problem.ts';
import { getCustomerKey } from '../../storage/session-storage.ts';
import { writeItem, readItem } from '../../storage/storage.ts';

/**
 * A payment started by this browser: its purpose, and the terms that the customer saw. Its
 * confirmation repeats them, perhaps on a new page after the gateway's redirect. `code` is empty
 * without a discount code, `cardId` null without a saved card.
 */
const StartedPayment = v.object({
  transId: v.string(),
  paidFor: PaidFor,
  price: v.nullable(Price),
  code: v.string(),
  cardId: v.nullable(v.string()),
  tax: v.optional(Tax),
  /** When the answer to its payment by card was lost: milliseconds of this browser's clock. */
  unansweredAt: v.optional(v.number()),
});
export type StartedPayment = v.InferOutput<typeof StartedPayment>;

/**
 * The addition in `/config.json` of a server where a card pays the transaction that was started
 * before.
 */
const CARD_PAYS_STARTED = 'payment/session/card';

/** Milliseconds after which a payment with a lost answer is assumed not to have been made. */
const UNANSWERED_LIFETIME_MS = 3_600_000;

/** Maximum number of remembered payments; a customer has one or two pending. */
const maxPayments = 5;

const getStorageKey = () => `colophon.begun-payments.${getCustomerKey()}` as const;

const readPayments = (): StartedPayment[] => readItem(getStorageKey(), v.array(StartedPayment), []);

export const findStartedPayment = (transId: string): StartedPayment | null =>
  readPayments().find((each) => each.transId === transId) ?? null;

/**
 * Runs a call by which a saved card pays a transaction. If its answer is lost, a server that starts
 * a transaction for each card may have paid another one: that is recorded with the transaction.
 */
export const payStartedByCard = async <Answer>(
  { config }: Pick<Api, 'config'>,
  transId: string | null,
  send: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await send();
  } catch (error) {
    const problem = toFetchProblem(error);
    const startedPayment = transId === null ? null : findStartedPayment(transId);
    const mayPayAnother = config.additions?.includes(CARD_PAYS_STARTED) !== true;
    if (startedPayment !== null && mayPayAnother && isOutcomeUnknown(problem))
      saveStartedPayment({ ...startedPayment, unansweredAt: Date.now() });
    return throwProblem(problem);
  }
};

/** Whether a card may have paid another transaction in place of a pending one. */
export const mayBePaidElsewhere = (transId: string): boolean => {
  const { unansweredAt = null } = findStartedPayment(transId) ?? {};
  return unansweredAt !== null && Date.now() - unansweredAt < UNANSWERED_LIFETIME_MS;
};

/**
 * Stores a payment, in place of an earlier entry of its transaction: the customer may have chosen a
 * saved card after leaving the gateway's page.
 */
export const saveStartedPayment = (payment: StartedPayment): void =>
  writeItem(
    getStorageKey(),
    [payment, ...readPayments().filter(({ transId }) => transId !== payment.transId)].slice(0, maxPayments),
  );
