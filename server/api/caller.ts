import { deviceOwner } from '../accounts/devices.ts';
import type { Caller } from '../accounts/rate-limits.ts';
import type { Call } from './call.ts';

/** By whom a call is counted. @param deviceId of the calling browser, as the call says */
export async function callerOf({ services, store, customer, request }: Call, deviceId?: string): Promise<Caller> {
  const userId = customer?.id ?? (await deviceOwner(services.db, store.id, deviceId));
  return { storeId: store.id, address: request.ip, userId };
}
