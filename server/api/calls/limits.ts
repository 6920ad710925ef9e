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

/** Counts a call by the alternative limits of its caller. @throws DomainError too_many_requests */
export async function limitCaller(call: Call, name: LimitNameBy<'caller'>): Promise<void> {
  const alternatives = callerLimits(name, await findCaller(call));
  requireNoWait(getWaitSeconds(await countWithFallback(call.services.db, call.store.id, alternatives)));
}

/** The names of limits per customer with one maximum. */
type CustomerLimit = {
  [Name in LimitNameBy<'customer'>]: (typeof RATE_LIMITS)[Name]['max'] extends number ? Name : never;
}[LimitNameBy<'customer'>];

/** Counts a call by a limit of its customer. @throws DomainError too_many_requests */
export async function limitCustomer(
  { services, store, customer }: Pick<CustomerCall, 'services' | 'store' | 'customer'>,
  name: CustomerLimit,
): Promise<void> {
  requireNoWait(getWaitSeconds(await countCall(services.db, store.id, [getLimit(name, customer.id)])));
}

/**
 * Counts a sign-up before the account is created.
 * @returns seconds to wait; 0 if the account may be created
 */
export const countSignUp = async ({ services, store, request }: Call): Promise<number> =>
  getWaitSeconds(await countCall(services.db, store.id, networkLimits('sign-up', request.ip, services.config.signUpsPerHour)));

const rateLimits = Object.entries(RATE_LIMITS) as [LimitName, RateLimit][];

/**
 * Counts a call by the limits that list it, before it runs. A repetition with a stored response is
 * not counted.
 * @throws DomainError too_many_requests
 */
export async function limitOperation(call: CustomerCall, operationId: OperationId): Promise<void> {
  for (const [name, { calls, per }] of rateLimits) {
    if (!calls?.includes(operationId)) continue;
    await (per === 'caller' ? limitCaller(call, name as LimitNameBy<'caller'>) : limitCustomer(call, name as CustomerLimit));
  }
}
