import type { SignedInUser } from '../../machines/app/session.ts';
import { getOwner, type StorageKey } from './storage-keys.ts';
import { safeLocalStorage, safeSessionStorage } from './storage.ts';

/** Storage keys of a session, as other pages of the product expect them. */
export const sessionKeys = { token: 'id_token', userId: 'userid', email: 'emailid' } as const;

export const storages = [safeLocalStorage, safeSessionStorage];

const readItemAnywhere = (name: StorageKey): string | null => {
  for (const storage of storages) {
    const value = storage.getItem(name);
    if (value !== null) return value;
  }
  return null;
};

/**
 * The access token, null for a visitor, empty where the server signed a customer in without one;
 * only requests may contain it.
 */
export const token = (): string | null => readItemAnywhere(sessionKeys.token);

export const sessionTokenKey = sessionKeys.token;

/** The user id of a session until the server reports it. */
export const UNKNOWN_CUSTOMER = 'unknown';

/** The signed-in customer; null for a visitor. */
export const getStoredCustomer = (): SignedInUser | null =>
  token() === null
    ? null
    : {
        userId: readItemAnywhere(sessionKeys.userId) ?? UNKNOWN_CUSTOMER,
        pii: { email: readItemAnywhere(sessionKeys.email) ?? '' },
      };

/**
 * The suffix of the keys of a customer's own items: the user id, or the e-mail address on a server
 * that sends none; empty for a visitor.
 */
export const getCustomerKey = (): string => {
  const { userId = '', pii } = getStoredCustomer() ?? {};
  return userId === UNKNOWN_CUSTOMER ? (pii?.email ?? '') : userId;
};

/**
 * Replaces the session without removing it in between, the token last: another tab that reads a new
 * token finds its customer.
 * @param remember false ends the session with the tab
 */
export const saveSession = (session: { token: string; userId: string; email: string }, remember: boolean): void => {
  const [target, otherStorage] = remember ? [safeLocalStorage, safeSessionStorage] : [safeSessionStorage, safeLocalStorage];
  target.setItem(sessionKeys.userId, session.userId);
  target.setItem(sessionKeys.email, session.email);
  target.setItem(sessionKeys.token, session.token);
  for (const name of Object.values(sessionKeys)) otherStorage.removeItem(name);
};

const removeMatching = (isRemoved: (key: string) => boolean, sources = storages): void => {
  for (const storage of sources) {
    for (const key of storage.keys()) if (isRemoved(key)) storage.removeItem(key as StorageKey);
  }
};

const isSessionKey = (key: string): boolean => getOwner(key) === 'session';

/** Removes an expired session from this tab and the browser. */
export const expireSession = (): void => removeMatching(isSessionKey);

/** Removes the session of a customer who signs out, with the customer's own items. */
export const clearSession = (): void => removeMatching((key) => isSessionKey(key) || getOwner(key) === 'customer');

/** Removes the session from this tab: the tab that ended it clears the browser's storage. */
export const clearTab = (): void => removeMatching(isSessionKey, [safeSessionStorage]);

/** Removes all items of a deleted account, including its pending payments and reading places. */
export const clearAccount = (): void => {
  const keySuffix = `.${getCustomerKey()}`;
  clearSession();
  removeMatching((key) => getOwner(key) === 'pending' && key.endsWith(keySuffix));
};
