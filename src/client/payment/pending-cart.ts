import * as v from 'valibot';
import { payableIds, type CartQuote } from '../../../machines/model/buying/cart.ts';
import { customersKey } from '../../storage/session-storage.ts';
import { store, stored } from '../../storage/storage.ts';

/** A cart's payment on its way: `order` is what it is for. */
const PendingCart = v.object({
  order: v.string(),
  key: v.string(),
  transId: v.nullable(v.string()),
});
type PendingCart = v.InferOutput<typeof PendingCart>;

/** Each customer's own, so that a reload or a lost answer is taken up and not repeated. */
const name = () => `colophon.pending-cart.${customersKey()}` as const;

/** What is paid for: the titles and their price. */
export const orderOf = (titleIds: readonly string[], price: CartQuote['total']): string =>
  `${titleIds.toSorted().join(',')} ${price?.amount ?? ''} ${price?.currency ?? ''}`;

/** The unfinished payment of this very order; one of another cart is not taken up, the server releases it. */
export const pendingCart = (quote: CartQuote): PendingCart | null => {
  const pending = stored(name(), v.nullable(PendingCart), null);
  return pending?.order === orderOf(payableIds(quote), quote.total) ? pending : null;
};

/** Written before a payment is asked for, so that its key outlives a lost answer. */
export const rememberCart = (pending: PendingCart): void => store(name(), pending);

export const forgetCart = (): void => store(name(), null);
