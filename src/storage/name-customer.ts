import type { SignedIn } from '../../machines/app/session.ts';
import { customersKey, sessionNames, storages, storedCustomer, UNKNOWN_CUSTOMER } from './session-storage.ts';
import type { StorageKey } from './storage-keys.ts';

/** Moves the customer's own items from keys with one end to keys with another. */
const moveItems = (from: string, to: string): void => {
  for (const storage of storages)
    for (const key of storage.keys() as StorageKey[]) {
      if (!key.endsWith(from) || from === to) continue;
      storage.setItem((key.slice(0, -from.length) + to) as StorageKey, storage.getItem(key) ?? '');
      storage.removeItem(key);
    }
};

/** Keeps with the token whose it is. */
export const nameCustomer = (customer: SignedIn): SignedIn => {
  const unnamed = storedCustomer()?.userId === UNKNOWN_CUSTOMER ? customersKey() : '';
  for (const storage of storages) {
    if (storage.getItem(sessionNames.token) === null) continue;
    storage.setItem(sessionNames.userId, customer.userId);
    storage.setItem(sessionNames.email, customer.pii.email);
  }
  if (unnamed !== '') moveItems(`.${unnamed}`, `.${customersKey()}`);
  return customer;
};
