import type { Database } from '../database/open.ts';
import type { DomainError } from '../kernel/errors.ts';
import type { Account } from './ledger.ts';
import type { RunningSubscription } from './port.ts';
import type { Transaction } from './transactions.ts';

/**
 * The part of one kind of purchase in its payment; payments know nothing else of it. Each of these
 * is called inside the transaction that books the step, under the customer's lock.
 */
export type PurchaseKind = {
  /** The account of the ledger that the money goes to, without its tax. */
  account: Extract<Account, 'sales' | 'subscriptions'>;
  /** Its money goes back by its subscription, not by its payment. */
  isRefundedBySubscription?: true;
  /** Its recipient is not the customer who pays. */
  isForAnother?: true;
  /** The sentence of the e-mail about a refund that says what is gone. */
  gone: 'titles' | 'gift' | 'ended';
  /** The page to which the gateway's page leads back. */
  returnPath: (transaction: Transaction) => string;
  /** The page to which the receipt leads. */
  receiptPath: (transactionId: string) => string;
  /**
   * Why the customer is not to be charged now: they have already what it is for, or are paying for
   * it elsewhere.
   */
  refusal: (trx: Database, transaction: Transaction) => Promise<DomainError | undefined>;
  /** Gives what was paid for. */
  give: (trx: Database, transaction: Transaction, subscription: RunningSubscription | null) => Promise<void>;
  /** Locks the purchase while its money goes back. @throws DomainError conflict if it was used */
  withhold: (trx: Database, transaction: Transaction) => Promise<void>;
  /** Lets it be used again, as the gateway does not give the money back. */
  restore: (trx: Database, transaction: Transaction) => Promise<void>;
  /**
   * The title that a paid transaction gave, the first of several, and its copy; left out where it
   * gives none.
   */
  granted?: (db: Database, paid: Transaction) => Promise<{ titleId: string; instanceId: string }>;
  /** Takes back what was given, once all of the money went back. */
  takeBack: (trx: Database, transaction: Transaction) => Promise<void>;
};

/** The kinds of purchases that the shop has, by the name that their transactions are kept under. */
export type PurchaseKinds = Readonly<Record<string, PurchaseKind>>;

/** @throws Error for a name that the shop does not have: another version began the transaction */
export function kindOf(kinds: PurchaseKinds, { id, kind }: Pick<Transaction, 'id' | 'kind'>): PurchaseKind {
  const found = kinds[kind];
  if (!found)
    throw new Error(`The transaction ${id} is of the kind "${kind}"; this shop knows ${Object.keys(kinds).join(', ')}.`);
  return found;
}
