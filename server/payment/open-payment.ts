import type { DomainError } from '../kernel/errors.ts';
import { releaseTransaction } from './open-transaction.ts';
import type { PaymentServices } from './payment-services.ts';
import { reconcile } from './reconcile.ts';
import { isOpen, type Transaction } from './transactions.ts';

/** Functions of one kind of purchase that find, check and create the customer's open payment. */
export type PaymentRequest = {
  /** @throws DomainError if the customer already owns the purchase */
  assertPurchasable: () => Promise<void>;
  find: () => Promise<Transaction | undefined>;
  /**
   * Whether the found payment, updated from the gateway, can be used for this purchase.
   * @throws DomainError if the purchase needs no payment any more, or another window is paying
   */
  isReusable: (found: Transaction) => Promise<boolean>;
  /** the reason that is stored with a payment released because the price or content has changed */
  releaseReason: string;
  /**
   * Creates a payment.
   * @param endedPayment the found payment, which ended unpaid
   * @returns undefined if a concurrent call created a payment first
   */
  create: (endedPayment: Transaction | undefined) => Promise<Transaction | undefined>;
  /** @returns the error if concurrent calls have made `MAX_ATTEMPTS` attempts fail */
  createBusyError: () => DomainError;
};

const MAX_ATTEMPTS = 3;

/**
 * Returns the customer's open payment, or creates it. Two windows that buy the same titles share
 * one payment, so that they cannot be paid twice.
 * @throws the errors of the request's functions; PaymentUnknown
 */
export async function getOrStartPayment(services: PaymentServices, request: PaymentRequest): Promise<Transaction> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    await request.assertPurchasable();
    const foundTransaction = await request.find();
    const currentTransaction = foundTransaction && (await reconcile(services, foundTransaction)).transaction;
    if (currentTransaction && (await request.isReusable(currentTransaction))) return currentTransaction;
    if (currentTransaction && isOpen(currentTransaction)) {
      await releaseTransaction(services, currentTransaction, request.releaseReason);
      continue;
    }
    const createdTransaction = await request.create(currentTransaction);
    if (createdTransaction) return createdTransaction;
  }
  throw request.createBusyError();
}
