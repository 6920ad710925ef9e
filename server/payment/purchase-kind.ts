import type { Database } from '../database/open.ts';
import type { DomainError } from '../kernel/errors.ts';
import type { Account } from './ledger.ts';
import type { RemoteSubscription } from './port.ts';
import type { Transaction } from './transactions.ts';

/**
 * The properties and steps of a payment that differ by kind of purchase. Steps with `trx` run under
 * the customer's lock, in the database transaction that books the step.
 */
export type PurchaseKind = {
  /** the ledger account that receives the net amount */
  account: Extract<Account, 'sales' | 'subscriptions'>;
  /** refunds go through the subscription, not through the first payment */
  isRefundedBySubscription?: true;
  /** another person than the paying customer gets the purchase */
  isForAnother?: true;
  /** selects the sentence of the refund e-mail about the customer's loss */
  lossKind: 'titles' | 'gift' | 'ended';
  /** Returns the path of the gateway's return URL. */
  returnPath: (transaction: Transaction) => string;
  /** Returns the path that the receipt links to. */
  receiptPath: (transactionId: string) => string;
  /**
   * Returns the error if the customer must not be charged now: they own the purchase already, or
   * are paying for it elsewhere.
   */
  findRefusal: (trx: Database, transaction: Transaction) => Promise<DomainError | undefined>;
  /** Grants the purchase; `subscription` is null unless the payment has started one. */
  grant: (trx: Database, transaction: Transaction, subscription: RemoteSubscription | null) => Promise<void>;
  /**
   * Blocks the use of the purchase during its refund.
   * @throws DomainError conflict if the purchase was used
   */
  withhold: (trx: Database, transaction: Transaction) => Promise<void>;
  /** Unblocks the purchase after the gateway has refused the refund. */
  restore: (trx: Database, transaction: Transaction) => Promise<void>;
  /**
   * Returns the granted title (the first of several) and its copy; left out if the kind grants no
   * titles.
   */
  findGrantedTitle?: (db: Database, paid: Transaction) => Promise<{ titleId: string; instanceId: string }>;
  /** Revokes the purchase once it is fully refunded. */
  revoke: (trx: Database, transaction: Transaction) => Promise<void>;
};

/** The shop's kinds of purchases, by the name in `transactions.kind`. */
export type PurchaseKinds = Readonly<Record<string, PurchaseKind>>;

/** @throws Error for an unknown kind, such as a kind that another version of the shop has stored */
export function getPurchaseKind(kinds: PurchaseKinds, { id, kind }: Pick<Transaction, 'id' | 'kind'>): PurchaseKind {
  const found = kinds[kind];
  if (!found) throw new Error(`Transaction ${id} has the unknown kind "${kind}"; expected ${Object.keys(kinds).join(', ')}.`);
  return found;
}
