import { emailKey } from '../base/email.ts';
import type { Limit } from '../accounts/call-counters.ts';
import { countCall, limitOf, networkLimits, secondsOf } from '../accounts/caller-limits.ts';
import { RATE_LIMITS } from '../accounts/rate-limits.ts';
import { isTrusted } from '../accounts/trusted-customer.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import type { Gift } from './give-gift.ts';

/** The customer who gives; `address` is the network address that the request came from. */
export type Giver = { storeId: string; userId: string; address: string };

/** @throws DomainError too_many_requests free_gifts_used */
async function requireShare(trx: Database, storeId: string, limits: Limit[]): Promise<void> {
  const seconds = secondsOf(await countCall(trx, storeId, limits));
  if (seconds === 0) return;
  throw new DomainError('too_many_requests', 'No more free gifts can be sent from here, or to this address, today.', {
    code: 'free_gifts_used',
    details: { retryAfterSeconds: seconds },
  });
}

/**
 * Counts an e-mail with a free gift, inside the transaction that queues it.
 * @throws DomainError too_many_requests free_gifts_used after the share of the day that the giver,
 * the recipient, or the network of a giver who is not trusted has
 */
export async function requireFreeGift(trx: Database, { storeId, userId, address }: Giver, recipient: string): Promise<void> {
  const trusted = await isTrusted(trx, storeId, userId);
  const { max } = RATE_LIMITS['free-gift'];
  await requireShare(trx, storeId, [
    limitOf('free-gift', userId, trusted ? max.trusted : max.other),
    ...(trusted ? [] : networkLimits('free-gift-network', address)),
    limitOf('free-gift-to', emailKey(recipient)),
  ]);
}

/**
 * Counts the new recipient of an e-mail that was counted for its giver already.
 * @throws DomainError too_many_requests free_gifts_used
 */
export async function requireFreeRecipient(trx: Database, storeId: string, recipient: string): Promise<void> {
  await requireShare(trx, storeId, [limitOf('free-gift-to', emailKey(recipient))]);
}

/** Whether a gift that was given has cost nothing: neither money nor credits. */
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
