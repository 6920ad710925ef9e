import * as v from 'valibot';
import { isGift, isCartPurchase } from '../../../machines/buying/purchase/offer.ts';
import type { Order } from '../../../machines/buying/payment-setup.ts';
import { getCustomerKey } from '../../storage/session-storage.ts';
import { safeLocalStorage, writeItem, readItem, writeList } from '../../storage/storage.ts';

/**
 * A pending payment, stored so that it is resumed and not repeated after a reload or a lost answer.
 * `titleId` names the goods: a bare title id, as tabs with an older version of the shop read and
 * write it, or a longer name. `key` is the idempotency key of the attempt, and of a gift its own
 * id; `transId` is known once the server has answered.
 */
const PendingPayment = v.object({
  titleId: v.string(),
  key: v.string(),
  transId: v.nullable(v.string()),
  /** The discount code. */
  code: v.optional(v.string(), ''),
});
type PendingPayment = v.InferOutput<typeof PendingPayment>;

type PendingGoods = Pick<Order, 'of' | 'titleId' | 'titleIds' | 'price'>;

/** The name of goods. A cart's has its titles and price: another price is another payment. */
const getGoodsName = ({ of, titleId, titleIds, price }: PendingGoods): string => {
  const titles = titleIds?.toSorted().join(',') ?? '';
  const goods = isCartPurchase({ of }) ? `cart ${titles} ${price?.amount ?? ''} ${price?.currency ?? ''}` : titleId;
  return isGift({ of }) ? `gift ${goods}` : goods;
};

/**
 * Whether a payment replaces another in the storage, which keeps only the latest gift, the latest
 * cart, and the latest payment of each title. The server releases the payment of another cart.
 */
const replacesPayment = (newGoods: Pick<PendingGoods, 'of' | 'titleId'>, { titleId }: PendingPayment): boolean => {
  if (isGift(newGoods)) return titleId.startsWith('gift ');
  return isCartPurchase(newGoods) ? titleId.startsWith('cart ') : titleId === newGoods.titleId;
};

const getStorageKey = () => `colophon.pending.${getCustomerKey()}` as const;
const getLegacyKey = (kind: 'cart' | 'gift') => `colophon.pending-${kind}.${getCustomerKey()}` as const;

/** Versions of the shop before 28 November 2026 kept one cart and one gift under their own keys. */
const readLegacyPayments = (kind: 'cart' | 'gift'): PendingPayment[] => {
  const LegacyPayment = v.object({ ...PendingPayment.entries, titleId: v.optional(v.string()), order: v.optional(v.string()) });
  const legacyPayment = readItem(getLegacyKey(kind), v.nullable(LegacyPayment), null);
  return legacyPayment === null ? [] : [{ ...legacyPayment, titleId: `${kind} ${legacyPayment.order ?? legacyPayment.titleId}` }];
};

const readPayments = (): PendingPayment[] => [
  ...readItem(getStorageKey(), v.array(PendingPayment), []),
  ...readLegacyPayments('cart'),
  ...readLegacyPayments('gift'),
];

/** The pending payment of exactly these goods, or null. */
export const findPendingPayment = (goods: PendingGoods): PendingPayment | null =>
  readPayments().find(({ titleId }) => titleId === getGoodsName(goods)) ?? null;

/** The gift that this transaction pays for; `titleId` is null for a cart. */
export const findPendingGift = (transId: string): { giftId: string; titleId: string | null } | null => {
  const gift = readPayments().find((pending) => pending.transId === transId && pending.titleId.startsWith('gift '));
  if (gift === undefined) return null;
  const goods = gift.titleId.slice('gift '.length);
  return { giftId: gift.key, titleId: goods.startsWith('cart ') ? null : goods };
};

/** Stores all pending payments; only the latest ones if the storage is full. */
const savePayments = (payments: PendingPayment[]): void => {
  if (writeList(getStorageKey(), payments) === 0) writeItem(getStorageKey(), payments);
  safeLocalStorage.removeItem(getLegacyKey('cart'));
  safeLocalStorage.removeItem(getLegacyKey('gift'));
};

/** Stores a payment before it is requested, so that its key outlives a lost answer. */
export const savePendingPayment = (goods: PendingGoods, attempt: Omit<PendingPayment, 'titleId'>): void =>
  savePayments([{ ...attempt, titleId: getGoodsName(goods) }, ...readPayments().filter((each) => !replacesPayment(goods, each))]);

export const removePendingPayments = (goods: Pick<PendingGoods, 'of' | 'titleId'>): void =>
  savePayments(readPayments().filter((each) => !replacesPayment(goods, each)));
