import * as v from 'valibot';
import { payableIds, type CartQuote } from '../../../machines/model/buying/cart.ts';
import { GiftForm } from '../../../machines/model/buying/gift.ts';
import { customersKey } from '../../storage/session-storage.ts';
import { safeSessionStorage, store, stored } from '../../storage/storage.ts';

/** What a gift of the cart goes by: another cart, or another price, is another gift. */
export const cartOf = (titleIds: readonly string[], price: CartQuote['total']): string =>
  `cart ${titleIds.toSorted().join(',')} ${price?.amount ?? ''} ${price?.currency ?? ''}`;

/** The same of a cart as it is shown. */
export const shownCart = (quote: CartQuote): string => cartOf(payableIds(quote), quote.total);

/**
 * A gift's payment on its way. `titleId` is the title, or says what is in the cart and what it
 * costs; `key` is the gift's own id. `transId` is null where the answer of the server is not known.
 */
const PendingGift = v.object({
  titleId: v.string(),
  key: v.string(),
  transId: v.nullable(v.string()),
});
type PendingGift = v.InferOutput<typeof PendingGift>;

/** Each customer's own, so that a reload or a lost answer is taken up and not repeated. */
const name = () => `colophon.pending-gift.${customersKey()}` as const;

export const pendingGift = (titleId: string): PendingGift | null => {
  const pending = stored(name(), v.nullable(PendingGift), null);
  return pending?.titleId === titleId ? pending : null;
};

export const rememberGift = (pending: PendingGift): void => store(name(), pending);

export const forgetGift = (): void => store(name(), null);

/** The draft of the whole cart is found again although the cart has changed. */
export const draftOfCart = 'cart';

const Draft = v.object({ titleId: v.string(), form: GiftForm });

/** Of the customer's own, in this tab alone: it names somebody else. */
const draftName = () => `colophon.gift-draft.${customersKey()}` as const;

/** What was written for a gift of this title, until it is sent. */
export const giftDraft = (titleId: string): GiftForm | null => {
  try {
    const draft = v.parse(Draft, JSON.parse(safeSessionStorage.getItem(draftName()) ?? ''));
    return draft.titleId === titleId ? draft.form : null;
  } catch {
    return null;
  }
};

export const keepDraft = (titleId: string, form: GiftForm): void => {
  try {
    safeSessionStorage.setItem(draftName(), JSON.stringify({ titleId, form }));
  } catch {
    forgetDraft();
  }
};

export const forgetDraft = (): void => void safeSessionStorage.removeItem(draftName());

/** The gift whose payment this is, where this tab knows what was written for it. */
export const giftOfPayment = (transId: string): { giftId: string; form: GiftForm } | null => {
  const pending = stored(name(), v.nullable(PendingGift), null);
  if (pending?.transId !== transId) return null;
  const form = giftDraft(pending.titleId.startsWith(`${draftOfCart} `) ? draftOfCart : pending.titleId);
  return form === null ? null : { giftId: pending.key, form };
};
