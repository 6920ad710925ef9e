import { registerDevice } from '../../../server/accounts/devices.ts';
import type { Customer } from './customers.ts';
import type { Shop } from './shop.ts';

/**
 * The device cookie that a response sets, as a browser returns it; undefined without one.
 */
export const findDeviceCookie = (headers: { 'set-cookie'?: string | string[] | undefined }): string | undefined =>
  [headers['set-cookie'] ?? []].flat()[0]?.split(';')[0];

/** Makes a device known to the customer's account. @returns the Cookie header of its browser */
export async function rememberDevice(shop: Shop, { store, id: userId }: Customer, id: string): Promise<{ cookie: string }> {
  const account = { storeId: store, userId, address: '127.0.0.1' };
  const device = await registerDevice(shop.db, account, { id, name: undefined, secrets: [] });
  return { cookie: `device=${device?.secret}` };
}

/** Makes the account two days old, with a verified address. */
export async function markUserTrusted(shop: Shop, { id }: Pick<Customer, 'id'>): Promise<void> {
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
  await shop.db
    .updateTable('users')
    .set({ created_at: twoDaysAgo, email_verified_at: twoDaysAgo })
    .where('id', '=', id)
    .execute();
}
