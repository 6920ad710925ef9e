import { callerLimits, countCall, countInTurn, limitOf, networkLimits, secondsOf } from '../../accounts/caller-limits.ts';
import type { RateLimit } from '../../accounts/limit-row.ts';
import { type LimitName, type NameOf, RATE_LIMITS } from '../../accounts/rate-limits.ts';
import type { Call, CustomerCall } from './call.ts';
import { callerOf } from './caller.ts';
import type { OperationId } from './contract.ts';
import { requireNoWait } from '../../kernel/errors.ts';

/** @throws DomainError too_many_requests */
export async function limitCaller(call: Call, name: NameOf<'caller'>): Promise<void> {
  const turns = callerLimits(name, await callerOf(call));
  requireNoWait(secondsOf(await countInTurn(call.services.db, call.store.id, turns)));
}

type CustomerLimit = {
  [Name in NameOf<'customer'>]: (typeof RATE_LIMITS)[Name]['max'] extends number ? Name : never;
}[NameOf<'customer'>];

/** @throws DomainError too_many_requests */
export async function limitCustomer(
  { services, store, customer }: Pick<CustomerCall, 'services' | 'store' | 'customer'>,
  name: CustomerLimit,
): Promise<void> {
  requireNoWait(secondsOf(await countCall(services.db, store.id, [limitOf(name, customer.id)])));
}

/** Counts an account before it is made. @returns seconds to wait; 0 when it may be made */
export const countSignUp = async ({ services, store, request }: Call): Promise<number> =>
  secondsOf(await countCall(services.db, store.id, networkLimits('sign-up', request.ip, services.config.signUpsPerHour)));

const limits = Object.entries(RATE_LIMITS) as [LimitName, RateLimit][];

/**
 * Counts a call by the limits that name it in the table, before it runs. A repeat that an earlier
 * answer is kept for does not come here.
 * @throws DomainError too_many_requests
 */
export async function limitOperation(call: CustomerCall, operationId: OperationId): Promise<void> {
  for (const [name, { calls, per }] of limits) {
    if (!calls?.includes(operationId)) continue;
    await (per === 'caller' ? limitCaller(call, name as NameOf<'caller'>) : limitCustomer(call, name as CustomerLimit));
  }
}
