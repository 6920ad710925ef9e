import type { SignedIn } from '../../machines/app/session.ts';
import { safeLocalStorage, safeSessionStorage } from './storage.ts';

/** Names under which a session is kept, as other pages of the product expect them. */
const names = { token: 'id_token', userId: 'userid', email: 'emailid' } as const;

/** Under which a tab keeps what it is putting into the customer's cart. */
export const sendingCart = 'colophon.cart.sending';

/** What belongs to the customer and goes at sign-out: the session, its secret, what is on its way, and what the PDF reader remembers. */
const cleared = [...Object.values(names), 'secret', sendingCart, 'pdfjs.preferences', 'pdfjs.history'];

/** What the browser refused to remove is not read any more, for as long as the page lives. */
const withheld = new Map([safeLocalStorage, safeSessionStorage].map((storage) => [storage, new Set<string>()]));

const read = (name: string): string | null => {
  for (const [storage, refused] of withheld) {
    const kept = refused.has(name) ? null : storage.getItem(name);
    if (kept !== null) return kept;
  }
  return null;
};

/** The access token; only requests get it. */
export const token = (): string | null => read(names.token);

export const sessionTokenName = names.token;

/** Who is signed in; a token that came without a name stands for somebody, who is `unknown` until the server says who. */
export const storedCustomer = (): SignedIn | null =>
  token() === null ? null : { userId: read(names.userId) ?? 'unknown', pii: { email: read(names.email) ?? '' } };

/** @param remember false keeps the session no longer than the tab. */
export const keepSession = (session: { token: string; userId: string; email: string }, remember: boolean): void => {
  clearSession();
  const storage = remember ? safeLocalStorage : safeSessionStorage;
  storage.setItem(names.userId, session.userId);
  storage.setItem(names.email, session.email);
  storage.setItem(names.token, session.token);
  withheld.get(storage)?.clear();
};

export const clearSession = (): void => {
  for (const [storage, refused] of withheld) {
    for (const name of cleared) {
      try {
        storage.removeItem(name);
      } catch {
        refused.add(name);
      }
    }
  }
};

/** Keeps with the token whose it is. */
export const nameCustomer = (customer: SignedIn): SignedIn => {
  for (const storage of withheld.keys()) {
    if (storage.getItem(names.token) === null) continue;
    storage.setItem(names.userId, customer.userId);
    storage.setItem(names.email, customer.pii.email);
  }
  return customer;
};
