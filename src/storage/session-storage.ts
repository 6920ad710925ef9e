import type { SignedIn } from '../../machines/app/session.ts';
import { ownerOf, type StorageKey } from './storage-keys.ts';
import { safeLocalStorage, safeSessionStorage } from './storage.ts';

/** Names under which a session is kept, as other pages of the product expect them. */
export const sessionNames = { token: 'id_token', userId: 'userid', email: 'emailid' } as const;

export const storages = [safeLocalStorage, safeSessionStorage];

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
export const token = (): string | null => read(sessionNames.token);

export const sessionTokenName = sessionNames.token;

/** The user id of a session until the server says whose it is. */
export const UNKNOWN_CUSTOMER = 'unknown';

/** The customer who is signed in. */
export const storedCustomer = (): SignedIn | null =>
  token() === null
    ? null
    : { userId: read(sessionNames.userId) ?? UNKNOWN_CUSTOMER, pii: { email: read(sessionNames.email) ?? '' } };

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
  kept.setItem(sessionNames.userId, session.userId);
  kept.setItem(sessionNames.email, session.email);
  kept.setItem(sessionNames.token, session.token);
  for (const name of Object.values(sessionNames)) other.removeItem(name);
};

const removeAll = (isMeant: (key: string) => boolean, from = storages): void => {
  for (const storage of from) {
    for (const key of storage.keys()) if (isMeant(key)) storage.removeItem(key as StorageKey);
  }
};

const isSessions = (key: string): boolean => ownerOf(key) === 'session';

/** Removes a session that has run out from this tab and the browser. */
export const expireSession = (): void => removeAll(isSessions);

/** The same for a customer who signs out, with what the browser keeps of the customer. */
export const clearSession = (): void => removeAll((key) => isSessions(key) || ownerOf(key) === 'customer');

/** Removes the session from this tab: the tab that ended it clears what the browser keeps. */
export const clearTab = (): void => removeAll(isSessions, [safeSessionStorage]);

/** Removes all of a deleted account, whose pending payments and places are removed too. */
export const clearAccount = (): void => {
  const end = `.${customersKey()}`;
  clearSession();
  removeAll((key) => ownerOf(key) === 'pending' && key.endsWith(end));
};
