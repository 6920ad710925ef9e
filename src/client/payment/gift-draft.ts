import * as v from 'valibot';
import { GiftForm } from '../../../machines/model/buying/gift.ts';
import { getCustomerKey } from '../../storage/session-storage.ts';
import { safeSessionStorage, readItem } from '../../storage/storage.ts';

/**
 * The id of the draft for the whole cart: fixed, so that it is found after the cart has changed.
 */
export const cartDraftId = 'cart';

const Draft = v.object({ titleId: v.string(), form: GiftForm });

/** The key of the customer's draft, which is stored in this tab only: it names another person. */
const getStorageKey = () => `colophon.gift-draft.${getCustomerKey()}` as const;

/** The customer's texts for an unsent gift of this title; null without any. */
export const readGiftDraft = (titleId: string): GiftForm | null => {
  const draft = readItem(getStorageKey(), v.nullable(Draft), null, safeSessionStorage);
  return draft?.titleId === titleId ? draft.form : null;
};

export const saveGiftDraft = (titleId: string, form: GiftForm): void => {
  try {
    safeSessionStorage.setItem(getStorageKey(), JSON.stringify({ titleId, form }));
  } catch {
    removeGiftDraft();
  }
};

export const removeGiftDraft = (): void => void safeSessionStorage.removeItem(getStorageKey());
