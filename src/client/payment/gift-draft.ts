import * as v from 'valibot';
import { GiftForm } from '../../../machines/model/buying/gift.ts';
import { getCustomerKey } from '../../storage/session-storage.ts';
import { safeSessionStorage, readItem } from '../../storage/storage.ts';

/** A fixed id, so that the draft of the whole cart is found after the cart has changed. */
export const cartDraftId = 'cart';

const Draft = v.object({ titleId: v.string(), form: GiftForm });

/** One per customer, in this tab only: the draft names another person. */
const storageKey = () => `colophon.gift-draft.${getCustomerKey()}` as const;

/** The customer's texts for a gift of this title, until it is sent. */
export const readGiftDraft = (titleId: string): GiftForm | null => {
  const draft = readItem(storageKey(), v.nullable(Draft), null, safeSessionStorage);
  return draft?.titleId === titleId ? draft.form : null;
};

export const saveGiftDraft = (titleId: string, form: GiftForm): void => {
  try {
    safeSessionStorage.setItem(storageKey(), JSON.stringify({ titleId, form }));
  } catch {
    removeGiftDraft();
  }
};

export const removeGiftDraft = (): void => void safeSessionStorage.removeItem(storageKey());
