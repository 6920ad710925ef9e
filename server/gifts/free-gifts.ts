import { emailKey } from '../base/email.ts';
import type { Limit } from '../accounts/call-counters.ts';
import { countCall, getLimit, networkLimits, getWaitSeconds } from '../accounts/caller-limits.ts';
import { RATE_LIMITS } from '../accounts/rate-limits.ts';
import { isTrusted } from '../accounts/trusted-customer.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import type { Gift } from './give-gift.ts';

/** The giving customer; `address` is the request's network address. */
export type Giver = { storeId: string; userId: string; address: string };

/**
 * Counts an e-mail.
 * @throws DomainError too_many_requests free_gifts_used over one of the limits
 */
async function requireWithinLimits(trx: Database, storeId: string, limits: Limit[]): Promise<void> {
  const seconds = getWaitSeconds(await countCall(trx, storeId, limits));
  if (seconds === 0) return;
  throw new DomainError('too_many_requests', 'No more free gifts can be sent from here, or to this address, today.', {
    code: 'free_gifts_used',
    details: { retryAfterSeconds: seconds },
  });
}

/**
 * Counts a free gift's e-mail for the rate limits, in the database transaction that queues the
 * e-mail.
 * @throws DomainError too_many_requests free_gifts_used over the daily limit of the giver, the
 * recipient, or an untrusted giver's network
 */
export async function requireFreeGift(trx: Database, { storeId, userId, address }: Giver, recipient: string): Promise<void> {
  const isTrustedGiver = await isTrusted(trx, storeId, userId);
  const { max } = RATE_LIMITS['free-gift'];
  await requireWithinLimits(trx, storeId, [
    getLimit('free-gift', userId, isTrustedGiver ? max.trusted : max.other),
    ...(isTrustedGiver ? [] : networkLimits('free-gift-network', address)),
    getLimit('free-gift-to', emailKey(recipient)),
  ]);
}

/**
 * Counts an e-mail for its new recipient: for its giver, it was already counted.
 * @throws DomainError too_many_requests free_gifts_used
 */
export async function requireFreeRecipient(trx: Database, storeId: string, recipient: string): Promise<void> {
  await requireWithinLimits(trx, storeId, [getLimit('free-gift-to', emailKey(recipient))]);
}

/** Whether a gift was given without money or credits. */
export async function isFreeGift(
  db: Database,
  { store_id, id, transaction_id }: Pick<Gift, 'store_id' | 'id' | 'transaction_id'>,
): Promise<boolean> {
  if (transaction_id !== null) return false;
  const purchase = await db
    .selectFrom('purchases')
    .select('credits')
    .where('store_id', '=', store_id)
    .where('id', '=', id)
    .executeTakeFirst();
  return purchase?.credits === null;
}
