import { knownDevice } from '../accounts/devices.ts';
import type { Caller } from '../accounts/caller-limits.ts';
import { isTrusted } from '../accounts/trusted-customer.ts';
import type { Call } from './call.ts';
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
