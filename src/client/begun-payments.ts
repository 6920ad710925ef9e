import * as v from 'valibot';
import { PaidFor } from '../../machines/model/purchase.ts';
import { Tax } from '../../machines/model/tax.ts';
import { Price } from '../../machines/model/title.ts';
import { customersKey } from '../storage/session-storage.ts';
import { store, stored } from '../storage/storage.ts';

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
});
export type BegunPayment = v.InferOutput<typeof BegunPayment>;

/** Payments that are remembered; a customer has one or two on their way. */
const most = 5;

const name = () => `colophon.begun-payments.${customersKey()}` as const;

const all = (): BegunPayment[] => stored(name(), v.array(BegunPayment), []);

export const begunPayment = (transId: string): BegunPayment | null => all().find((each) => each.transId === transId) ?? null;

/** The latest of a transaction counts: a kept card may have been chosen after its page was left. */
export const rememberPayment = (begun: BegunPayment): void =>
  store(name(), [begun, ...all().filter(({ transId }) => transId !== begun.transId)].slice(0, most));
