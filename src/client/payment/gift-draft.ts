import * as v from 'valibot';
import { GiftForm } from '../../../machines/model/buying/gift.ts';
import { customersKey } from '../../storage/session-storage.ts';
import { safeSessionStorage, stored } from '../../storage/storage.ts';

/** The draft of the whole cart is found again although the cart has changed. */
export const draftOfCart = 'cart';

const Draft = v.object({ titleId: v.string(), form: GiftForm });

/** Each customer’s own, in this tab alone: it names another person. */
const name = () => `colophon.gift-draft.${customersKey()}` as const;

/** The words for a gift of this title, until it is sent. */
export const giftDraft = (titleId: string): GiftForm | null => {
  const draft = stored(name(), v.nullable(Draft), null, safeSessionStorage);
  return draft?.titleId === titleId ? draft.form : null;
};

export const keepDraft = (titleId: string, form: GiftForm): void => {
  try {
    safeSessionStorage.setItem(name(), JSON.stringify({ titleId, form }));
  } catch {
    forgetDraft();
  }
};

export const forgetDraft = (): void => void safeSessionStorage.removeItem(name());
