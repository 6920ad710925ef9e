import type { SignedInUser } from '../../machines/app/session.ts';
import { getCustomerKey, sessionKeys, storages, getStoredCustomer, UNKNOWN_CUSTOMER } from './session-storage.ts';
import type { StorageKey } from './storage-keys.ts';

/** Renames the customer's own items from one key suffix to another. */
const moveItems = (from: string, to: string): void => {
  for (const storage of storages)
    for (const key of storage.keys() as StorageKey[]) {
      if (!key.endsWith(from) || from === to) continue;
      storage.setItem((key.slice(0, -from.length) + to) as StorageKey, storage.getItem(key) ?? '');
      storage.removeItem(key);
    }
};

/**
 * Stores the customer with the session's token. Items that were stored while the user id was
 * unknown get the customer's own keys.
 */
export const saveCustomer = (customer: SignedInUser): SignedInUser => {
  const temporaryKey = getStoredCustomer()?.userId === UNKNOWN_CUSTOMER ? getCustomerKey() : '';
  for (const storage of storages) {
    if (storage.getItem(sessionKeys.token) === null) continue;
    storage.setItem(sessionKeys.userId, customer.userId);
    storage.setItem(sessionKeys.email, customer.pii.email);
  }
  if (temporaryKey !== '') moveItems(`.${temporaryKey}`, `.${getCustomerKey()}`);
  return customer;
};
