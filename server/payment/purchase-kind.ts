import type { Database } from '../database/open.ts';
import type { DomainError } from '../kernel/errors.ts';
import type { Account } from './ledger.ts';
import type { RemoteSubscription } from './port.ts';
import type { Transaction } from './transactions.ts';

/**
 * The steps of a payment that differ by kind of purchase. Each runs under the customer's lock, in
 * the database transaction that books the step.
 */
export type PurchaseKind = {
  /** The ledger account that receives the net amount. */
  account: Extract<Account, 'sales' | 'subscriptions'>;
  /** Refunds go through the subscription, not through the first payment. */
  isRefundedBySubscription?: true;
  /** Its recipient is not the customer who pays. */
  isForAnother?: true;
  /** Selects the sentence of the refund e-mail about what the customer loses. */
  gone: 'titles' | 'gift' | 'ended';
  /** The path of the gateway's return URL. */
  returnPath: (transaction: Transaction) => string;
  /** The path that the receipt links to. */
  receiptPath: (transactionId: string) => string;
  /**
   * The reason not to charge the customer now: they own the purchase already, or are paying for it
   * elsewhere.
   */
  refusal: (trx: Database, transaction: Transaction) => Promise<DomainError | undefined>;
  /** Grants the purchase. */
  give: (trx: Database, transaction: Transaction, subscription: RemoteSubscription | null) => Promise<void>;
  /**
   * Blocks the use of the purchase during its refund.
   * @throws DomainError conflict if it was used
   */
  withhold: (trx: Database, transaction: Transaction) => Promise<void>;
  /** Unblocks the purchase after the gateway has refused the refund. */
  restore: (trx: Database, transaction: Transaction) => Promise<void>;
  /**
   * The granted title (the first of several) and its copy; left out if the kind grants no titles.
   */
  granted?: (db: Database, paid: Transaction) => Promise<{ titleId: string; instanceId: string }>;
  /** Revokes the purchase once it is fully refunded. */
  takeBack: (trx: Database, transaction: Transaction) => Promise<void>;
};

/** The shop's kinds of purchases, by the name in `transactions.kind`. */
export type PurchaseKinds = Readonly<Record<string, PurchaseKind>>;

/** @throws Error for an unknown kind, such as one that another version of the shop has stored */
export function getPurchaseKind(kinds: PurchaseKinds, { id, kind }: Pick<Transaction, 'id' | 'kind'>): PurchaseKind {
  const found = kinds[kind];
  if (!found) throw new Error(`Transaction ${id} has the unknown kind "${kind}"; expected ${Object.keys(kinds).join(', ')}.`);
  return found;
}
