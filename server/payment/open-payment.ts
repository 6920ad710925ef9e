import type { DomainError } from '../kernel/errors.ts';
import { releaseTransaction } from './open-transaction.ts';
import type { PaymentServices } from './payment-services.ts';
import { reconcile } from './reconcile.ts';
import { isOpen, type Transaction } from './transactions.ts';

/** How one kind of purchase finds, checks and creates the customer's open payment. */
export type PaymentRequest = {
  /** @throws DomainError if the customer already owns the purchase */
  refuse: () => Promise<void>;
  find: () => Promise<Transaction | undefined>;
  /**
   * Whether the found payment, as the gateway has it now, can be used for this purchase.
   * @throws DomainError if the purchase needs no payment any more
   */
  isWanted: (found: Transaction) => Promise<boolean>;
  /** The reason stored with a released payment: the price or the content has changed. */
  releasedFor: string;
  /**
   * @param over the found payment, which ended unpaid
   * @returns undefined if a concurrent call created one first
   */
  begin: (over: Transaction | undefined) => Promise<Transaction | undefined>;
  /** The error after `MAX_ATTEMPTS` lost races against concurrent calls. */
  busy: () => DomainError;
};

const MAX_ATTEMPTS = 3;

/**
 * Returns the customer's open payment, or creates it. Two windows that buy the same share one
 * payment, so that it cannot be paid twice.
 */
export async function getOrStartPayment(services: PaymentServices, opening: PaymentRequest): Promise<Transaction> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    await opening.refuse();
    const found = await opening.find();
    const now = found && (await reconcile(services, found)).transaction;
    if (now && (await opening.isWanted(now))) return now;
    if (now && isOpen(now)) {
      await releaseTransaction(services, now, opening.releasedFor);
      continue;
    }
    const made = await opening.begin(now);
    if (made) return made;
  }
  throw opening.busy();
}
