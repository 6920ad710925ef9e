import { findKnownDevice } from '../../accounts/devices.ts';
import type { Caller } from '../../accounts/caller-limits.ts';
import { isTrusted } from '../../accounts/trusted-customer.ts';
import type { Buyer, Payer } from '../../payment/buyer.ts';
import { getStoreOrigin } from '../../stores/origin.ts';
import type { Call, CustomerCall } from './call.ts';
import { readDeviceSecrets } from './device-cookie.ts';

/**
 * Finds the caller for rate limits: the session's customer, the customer of a known device, or a
 * stranger (without `customer`).
 */
export async function findCaller(call: Call): Promise<Caller> {
  const { services, store, request } = call;
  const origin = { storeId: store.id, address: request.ip };
  const userId = call.customer?.id ?? (await findKnownDevice(services.db, store.id, readDeviceSecrets(call)))?.userId;
  if (userId === undefined) return origin;
  const by = call.customer ? 'session' : 'device';
  return { ...origin, customer: { userId, by, isTrusted: await isTrusted(services.db, store.id, userId) } };
}

/** Returns a function that resolves the paying customer, with the caller whose guesses count. */
export const toPayer =
  (call: CustomerCall): Payer =>
  async () => ({ ...(await findCaller(call)), userId: call.customer.id });

/**
 * Returns the paying customer, with the language and the shop's origin of the request.
 * @throws DomainError bad_request unknown_host
 */
export const toBuyer = ({ store, customer, spoken, request, services }: CustomerCall): Buyer => ({
  storeId: store.id,
  userId: customer.id,
  spoken,
  origin: getStoreOrigin(store, request, services.config),
  acceptLanguage: request.headers['accept-language'] ?? '',
});
