import * as v from 'valibot';
import { payableIds, type CartQuote } from '../../../machines/model/cart.ts';
import { GiftForm } from '../../../machines/model/gift.ts';
import { Tax } from '../../../machines/model/tax.ts';
import { storedCustomer } from '../../storage/session-storage.ts';
import { safeSessionStorage, store, stored } from '../../storage/storage.ts';

/** What a gift of the cart goes by: another cart, or another price, is another gift. */
export const cartOf = (titleIds: readonly string[], price: CartQuote['total']): string =>
  `cart ${titleIds.toSorted().join(',')} ${price?.amount ?? ''} ${price?.currency ?? ''}`;

/** The same of a cart as it is shown. */
export const shownCart = (quote: CartQuote): string => cartOf(payableIds(quote), quote.total);

const customer = (): string => storedCustomer()?.userId ?? '';

/**
 * A gift's payment on its way. `titleId` is the title, or says what is in the cart and what it costs; `key` is the gift's own id, `tax`
 * what was shown to be added. `transId` is null where the answer of the server is not known.
 */
const PendingGift = v.object({
  titleId: v.string(),
  key: v.string(),
  transId: v.nullable(v.string()),
  tax: v.optional(Tax),
});
type PendingGift = v.InferOutput<typeof PendingGift>;

/** Each customer's own, so that a reload or a lost answer is taken up and not repeated. */
const name = () => `colophon.pending-gift.${customer()}` as const;

export const pendingGift = (titleId: string): PendingGift | null => {
  const pending = stored(name(), v.nullable(PendingGift), null);
  return pending?.titleId === titleId ? pending : null;
};

export const pendingGiftTax = (transId: string): Tax | undefined => {
  const pending = stored(name(), v.nullable(PendingGift), null);
  return pending?.transId === transId ? pending.tax : undefined;
};

export const rememberGift = (pending: PendingGift): void => store(name(), pending);

export const forgetGift = (): void => store(name(), null);

const Draft = v.object({ titleId: v.string(), form: GiftForm });

/** Of the customer's own, in this tab alone: it names somebody else. */
const draftName = () => `colophon.gift-draft.${customer()}` as const;

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
