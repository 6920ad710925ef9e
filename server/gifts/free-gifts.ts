import { countFreeGift } from '../accounts/rate-limits.ts';
import { isTrusted } from '../accounts/trusted-customer.ts';
import { Refusal } from '../api/refusal.ts';
import type { Database } from '../database/open.ts';
import type { Gift } from './give-gift.ts';

const DAY_SECONDS = 24 * 60 * 60;

/**
 * Counts an e-mail with a free gift, inside the transaction that queues it.
 * @throws Refusal 429 free_gifts_used after the customer's share of the day
 */
export async function requireFreeGift(trx: Database, { storeId, userId }: { storeId: string; userId: string }): Promise<void> {
  const giver = { storeId, userId, isTrusted: await isTrusted(trx, storeId, userId) };
  if (await countFreeGift(trx, giver)) return;
  throw new Refusal(429, 'No more free gifts can be sent from this account today.', {
    code: 'free_gifts_used',
    extra: { retryAfterSeconds: DAY_SECONDS },
  });
}

/** Whether a gift that was given has cost nothing: neither money nor credits. */
export async function isFreeGift(db: Database, { store_id, id, transaction_id }: Gift): Promise<boolean> {
  if (transaction_id !== null) return false;
  const purchase = await db
    .selectFrom('purchases')
    .select('credits')
    .where('store_id', '=', store_id)
    .where('id', '=', id)
    .executeTakeFirst();
  return purchase?.credits === null;
}
