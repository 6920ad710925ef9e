import { knownDevice } from '../../accounts/devices.ts';
import type { Caller } from '../../accounts/caller-limits.ts';
import { isTrusted } from '../../accounts/trusted-customer.ts';
import type { Buyer, Payer } from '../../payment/buyer.ts';
import { originOf } from '../../stores/origin.ts';
import type { Call, CustomerCall } from './call.ts';
import { deviceSecrets } from './device-cookie.ts';

/**
 * By whom a call is counted: the session's customer, the customer of a known device, or a stranger.
 */
export async function callerOf(call: Call): Promise<Caller> {
  const { services, store, request } = call;
  const origin = { storeId: store.id, address: request.ip };
  const userId = call.customer?.id ?? (await knownDevice(services.db, store.id, deviceSecrets(call)))?.userId;
  if (userId === undefined) return origin;
  const by = call.customer ? 'session' : 'device';
  return { ...origin, customer: { userId, by, isTrusted: await isTrusted(services.db, store.id, userId) } };
}

/** The customer who pays with a code, and how their guesses are counted. */
export const payerOf =
  (call: CustomerCall): Payer =>
  async () => ({ ...(await callerOf(call)), userId: call.customer.id });

/**
 * The customer who buys, and where in the shop they are. @throws DomainError bad_request
 * unknown_host
 */
export const buyerOf = ({ store, customer, spoken, request, services }: CustomerCall): Buyer => ({
  storeId: store.id,
  userId: customer.id,
  spoken,
  origin: originOf(store, request, services.config),
  acceptLanguage: request.headers['accept-language'] ?? '',
});
