import type { DomainError } from '../kernel/errors.ts';
import { release } from './open-transaction.ts';
import type { PaymentServices } from './payment-services.ts';
import { reconcile } from './reconcile.ts';
import { isOpen, type Transaction } from './transactions.ts';

/** How a kind of purchase finds and begins the customer's one payment for something. */
export type Opening = {
  /** @throws DomainError where the customer has it already */
  refuse: () => Promise<void>;
  find: () => Promise<Transaction | undefined>;
  /**
   * Whether a payment that was found, as the gateway has it now, is the one that is wanted.
   * @throws DomainError where nothing is to be paid for any more
   */
  isWanted: (found: Transaction) => Promise<boolean>;
  /** Why an open payment is released that is not: the price has changed, or what is paid for. */
  releasedFor: string;
  /**
   * @param over the payment that was found, which came to nothing
   * @returns undefined when another call began one in the same moment
   */
  begin: (over: Transaction | undefined) => Promise<Transaction | undefined>;
  /** The error where other calls were faster each time. */
  busy: () => DomainError;
};

const MAX_ATTEMPTS = 3;

/**
 * The customer's one open payment: the one that is there already, or a new one. Two windows that
 * buy the same share it, so that it cannot be paid twice.
 */
export async function openPayment(services: PaymentServices, opening: Opening): Promise<Transaction> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    await opening.refuse();
    const found = await opening.find();
    const now = found && (await reconcile(services, found)).transaction;
    if (now && (await opening.isWanted(now))) return now;
    if (now && isOpen(now)) {
      await release(services, now, opening.releasedFor);
      continue;
    }
    const made = await opening.begin(now);
    if (made) return made;
  }
  throw opening.busy();
}
