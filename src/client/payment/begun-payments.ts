import * as v from 'valibot';
import { mayHaveHappened } from '../../../machines/model/problem.ts';
import { PaidFor } from '../../../machines/model/buying/purchase.ts';
import { Tax } from '../../../machines/model/buying/tax.ts';
import { Price } from '../../../machines/model/catalogue/title.ts';
import type { Api } from '../wire/client.ts';
import { problemOfFailure, raise } from '../wire/problem.ts';
import { customersKey } from '../../storage/session-storage.ts';
import { store, stored } from '../../storage/storage.ts';

/**
 * A payment that this browser has begun: its purpose, and the terms that the customer was shown.
 * Its confirmation repeats them, perhaps after the gateway has sent the customer back to a new
 * page. `code` is empty without a discount code, `cardId` null without a kept card.
 */
const BegunPayment = v.object({
  transId: v.string(),
  paidFor: PaidFor,
  price: v.nullable(Price),
  code: v.string(),
  cardId: v.nullable(v.string()),
  tax: v.optional(Tax),
  /** when the answer to a card's payment of it was lost, by the clock of this browser */
  unansweredAt: v.optional(v.number()),
});
export type BegunPayment = v.InferOutput<typeof BegunPayment>;

/** In `/config.json` of a server where a card pays the transaction that was begun before. */
const CARD_PAYS_BEGUN = 'payment/session/card';

/** Milliseconds after which a payment whose answer was lost is taken for one that never came. */
const UNANSWERED_MS = 3_600_000;

/** Payments that are remembered; a customer has one or two on their way. */
const most = 5;

const name = () => `colophon.begun-payments.${customersKey()}` as const;

const all = (): BegunPayment[] => stored(name(), v.array(BegunPayment), []);

export const begunPayment = (transId: string): BegunPayment | null => all().find((each) => each.transId === transId) ?? null;

/**
 * A call by which a kept card pays a transaction. Where its answer is lost, another transaction may
 * be paid at a server that begins one for each card: the transaction remembers it.
 */
export const paidByCard = async <Answer>(
  { config }: Pick<Api, 'config'>,
  transId: string | null,
  send: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await send();
  } catch (error) {
    const problem = problemOfFailure(error);
    const begun = transId === null ? null : begunPayment(transId);
    const isOfAnother = config.additions?.includes(CARD_PAYS_BEGUN) !== true;
    if (begun !== null && isOfAnother && mayHaveHappened(problem)) rememberPayment({ ...begun, unansweredAt: Date.now() });
    return raise(problem);
  }
};

/** Whether a card may have paid in place of a transaction that is pending. */
export const mayBePaidElsewhere = (transId: string): boolean => {
  const { unansweredAt = null } = begunPayment(transId) ?? {};
  return unansweredAt !== null && Date.now() - unansweredAt < UNANSWERED_MS;
};

/** The latest of a transaction counts: a kept card may have been chosen after its page was left. */
export const rememberPayment = (begun: BegunPayment): void =>
  store(name(), [begun, ...all().filter(({ transId }) => transId !== begun.transId)].slice(0, most));
