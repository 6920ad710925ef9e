import * as v from 'valibot';
import { isGift, isOfCart } from '../../../machines/buying/purchase/offer.ts';
import type { Order } from '../../../machines/buying/payment-setup.ts';
import { customersKey } from '../../storage/session-storage.ts';
import { safeLocalStorage, store, stored, storeList } from '../../storage/storage.ts';

/**
 * A payment on its way, so that a reload or a lost answer is taken up and not repeated. `titleId`
 * says what is paid for: the id of a title alone, as tabs with an older version of the shop read
 * and write it, or a longer name. `key` is the idempotency key of the attempt, and of a gift its
 * own id; `transId` is known once the server has answered.
 */
const PendingPayment = v.object({
  titleId: v.string(),
  key: v.string(),
  transId: v.nullable(v.string()),
  /** The code that makes it cheaper. */
  code: v.optional(v.string(), ''),
});
type PendingPayment = v.InferOutput<typeof PendingPayment>;

type Goods = Pick<Order, 'of' | 'titleId' | 'titleIds' | 'price'>;

/** Another cart, or another price of it, is another payment. */
const nameOf = ({ of, titleId, titleIds, price }: Goods): string => {
  const titles = titleIds?.toSorted().join(',') ?? '';
  const goods = isOfCart({ of }) ? `cart ${titles} ${price?.amount ?? ''} ${price?.currency ?? ''}` : titleId;
  return isGift({ of }) ? `gift ${goods}` : goods;
};

/**
 * Payments of which the latest alone is kept: all gifts, all carts, or those of one title. The
 * server releases the payment of another cart.
 */
const isSameKind = (order: Pick<Goods, 'of' | 'titleId'>, { titleId }: PendingPayment): boolean => {
  if (isGift(order)) return titleId.startsWith('gift ');
  return isOfCart(order) ? titleId.startsWith('cart ') : titleId === order.titleId;
};

const name = () => `colophon.pending.${customersKey()}` as const;
const olderName = (kind: 'cart' | 'gift') => `colophon.pending-${kind}.${customersKey()}` as const;

/** Versions of the shop before 28 November 2026 kept one cart and one gift under their own keys. */
const older = (kind: 'cart' | 'gift'): PendingPayment[] => {
  const Older = v.object({ ...PendingPayment.entries, titleId: v.optional(v.string()), order: v.optional(v.string()) });
  const kept = stored(olderName(kind), v.nullable(Older), null);
  return kept === null ? [] : [{ ...kept, titleId: `${kind} ${kept.order ?? kept.titleId}` }];
};

const all = (): PendingPayment[] => [...stored(name(), v.array(PendingPayment), []), ...older('cart'), ...older('gift')];

/** The payment that is on its way for these very goods. */
export const pendingPayment = (goods: Goods): PendingPayment | null =>
  all().find(({ titleId }) => titleId === nameOf(goods)) ?? null;

/** The gift that this transaction pays for; `titleId` is null for a cart. */
export const pendingGift = (transId: string): { giftId: string; titleId: string | null } | null => {
  const gift = all().find((pending) => pending.transId === transId && pending.titleId.startsWith('gift '));
  if (gift === undefined) return null;
  const goods = gift.titleId.slice('gift '.length);
  return { giftId: gift.key, titleId: goods.startsWith('cart ') ? null : goods };
};

/** In a full storage the latest payments are kept. */
const keep = (payments: PendingPayment[]): void => {
  if (storeList(name(), payments) === 0) store(name(), payments);
  safeLocalStorage.removeItem(olderName('cart'));
  safeLocalStorage.removeItem(olderName('gift'));
};

/** Written before a payment is asked for, so that its key outlives a lost answer. */
export const rememberPending = (goods: Goods, attempt: Omit<PendingPayment, 'titleId'>): void =>
  keep([{ ...attempt, titleId: nameOf(goods) }, ...all().filter((each) => !isSameKind(goods, each))]);

export const forgetPending = (goods: Pick<Goods, 'of' | 'titleId'>): void =>
  keep(all().filter((each) => !isSameKind(goods, each)));
