import {
  callerLimits,
  countCall,
  countWithFallback,
  getLimit,
  networkLimits,
  getWaitSeconds,
} from '../../accounts/caller-limits.ts';
import type { RateLimit } from '../../accounts/limit-row.ts';
import { type LimitName, type LimitNameBy, RATE_LIMITS } from '../../accounts/rate-limits.ts';
import type { Call, CustomerCall } from './call.ts';
import { findCaller } from './caller.ts';
import type { OperationId } from './contract.ts';
import { requireNoWait } from '../../kernel/errors.ts';

/** @throws DomainError too_many_requests */
export async function limitCaller(call: Call, name: LimitNameBy<'caller'>): Promise<void> {
  const priorityGate = callerLimits(name, await findCaller(call));
  requireNoWait(getWaitSeconds(await countWithFallback(call.services.db, call.store.id, priorityGate)));
}

type CustomerLimit = {
  [Name in LimitNameBy<'customer'>]: (typeof RATE_LIMITS)[Name]['max'] extends number ? Name : never;
}[LimitNameBy<'customer'>];

/** @throws DomainError too_many_requests */
export async function limitCustomer(
  { services, store, customer }: Pick<CustomerCall, 'services' | 'store' | 'customer'>,
  name: CustomerLimit,
): Promise<void> {
  requireNoWait(getWaitSeconds(await countCall(services.db, store.id, [getLimit(name, customer.id)])));
}

/**
 * Counts a sign-up before the account is created.
 * @returns seconds to wait; 0 when it may be created
 */
export const countSignUp = async ({ services, store, request }: Call): Promise<number> =>
  getWaitSeconds(await countCall(services.db, store.id, networkLimits('sign-up', request.ip, services.config.signUpsPerHour)));

const rateLimits = Object.entries(RATE_LIMITS) as [LimitName, RateLimit][];

/**
 * Counts a call by the limits that list it, before it runs. A repetition with a stored answer does
 * not get here.
 * @throws DomainError too_many_requests
 */
export async function limitOperation(call: CustomerCall, operationId: OperationId): Promise<void> {
  for (const [name, { calls, per }] of rateLimits) {
    if (!calls?.includes(operationId)) continue;
    await (per === 'caller' ? limitCaller(call, name as LimitNameBy<'caller'>) : limitCustomer(call, name as CustomerLimit));
  }
}
