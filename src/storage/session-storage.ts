import type { SignedIn } from '../../machines/app/session.ts';
import { ownerOf, type StorageKey } from './storage-keys.ts';
import { safeLocalStorage, safeSessionStorage } from './storage.ts';

/** Names under which a session is kept, as other pages of the product expect them. */
const names = { token: 'id_token', userId: 'userid', email: 'emailid' } as const;

const storages = [safeLocalStorage, safeSessionStorage];

const read = (name: StorageKey): string | null => {
  for (const storage of storages) {
    const kept = storage.getItem(name);
    if (kept !== null) return kept;
  }
  return null;
};

/**
 * The access token, empty where the server signed a customer in without one; only requests get it.
 */
export const token = (): string | null => read(names.token);

export const sessionTokenName = names.token;

/** The user id of a session until the server says whose it is. */
export const UNKNOWN_CUSTOMER = 'unknown';

/** The customer who is signed in. */
export const storedCustomer = (): SignedIn | null =>
  token() === null ? null : { userId: read(names.userId) ?? UNKNOWN_CUSTOMER, pii: { email: read(names.email) ?? '' } };

/**
 * The end of the keys under which a customer's own items are kept: the user id, or the e-mail
 * address on a server that gives none; empty for a visitor.
 */
export const customersKey = (): string => {
  const { userId = '', pii } = storedCustomer() ?? {};
  return userId === UNKNOWN_CUSTOMER ? (pii?.email ?? '') : userId;
};

/**
 * Replaces the session without a moment of none in between, the token last: another tab that reads
 * a new token finds whose it is.
 * @param remember false keeps the session no longer than the tab
 */
export const keepSession = (session: { token: string; userId: string; email: string }, remember: boolean): void => {
  const [kept, other] = remember ? [safeLocalStorage, safeSessionStorage] : [safeSessionStorage, safeLocalStorage];
  kept.setItem(names.userId, session.userId);
  kept.setItem(names.email, session.email);
  kept.setItem(names.token, session.token);
  for (const name of Object.values(names)) other.removeItem(name);
};

const removeAll = (isMeant: (key: string) => boolean, from = storages): void => {
  for (const storage of from) {
    for (const key of storage.keys()) if (isMeant(key)) storage.removeItem(key as StorageKey);
  }
};

const isCustomers = (key: string): boolean => ownerOf(key) === 'customer';

/** Removes the session and all other items of the customer from this tab and the browser. */
export const clearSession = (): void => removeAll(isCustomers);

/** The same in this tab alone: the tab that ended the session clears what the browser keeps. */
export const clearTab = (): void => removeAll(isCustomers, [safeSessionStorage]);

/** The same for a deleted account, whose pending payments are removed too. */
export const clearAccount = (): void => {
  const end = `.${customersKey()}`;
  clearSession();
  removeAll((key) => ownerOf(key) === 'payment' && key.endsWith(end));
};

/** Moves the customer's own items from keys with one end to keys with another. */
const moveItems = (from: string, to: string): void => {
  for (const storage of storages)
    for (const key of storage.keys()) {
      if (!key.endsWith(`.${from}`) || !['customer', 'payment'].includes(ownerOf(key) ?? '')) continue;
      storage.setItem(`${key.slice(0, -from.length)}${to}` as StorageKey, storage.getItem(key as StorageKey) ?? '');
      storage.removeItem(key as StorageKey);
    }
};

/** Keeps with the token whose it is. */
export const nameCustomer = (customer: SignedIn): SignedIn => {
  const unnamed = storedCustomer()?.userId === UNKNOWN_CUSTOMER ? customersKey() : '';
  for (const storage of storages) {
    if (storage.getItem(names.token) === null) continue;
    storage.setItem(names.userId, customer.userId);
    storage.setItem(names.email, customer.pii.email);
  }
  const named = customersKey();
  if (unnamed !== '' && named !== unnamed) moveItems(unnamed, named);
  return customer;
};
