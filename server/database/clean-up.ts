import { AUDIT_DAYS } from '../accounts/audit.ts';
import type { Database } from './open.ts';

const DAY = 24 * 60 * 60 * 1000;
const UNPAID_GIFT_DAYS = 7;
/**
 * Days within which each shop process must run once to clean its outbox of what a deleted account
 * has left.
 */
const FORGOTTEN_RECIPIENT_DAYS = 30;

/** Deletes what nobody asks for any more: tokens, codes, challenges and begun sign-ins that are over, attempts of the past, answers kept for repetitions, and gifts that nobody has paid for. */
export async function cleanUp(db: Database, now = new Date()): Promise<void> {
  await db
    .deleteFrom('tokens')
    .where((eb) => eb.or([eb('expires_at', '<', now), eb('revoked_at', 'is not', null)]))
    .execute();
  await db
    .deleteFrom('audit_log')
    .where('at', '<', new Date(now.getTime() - AUDIT_DAYS * DAY))
    .execute();
  await db.deleteFrom('phone_codes').where('expires_at', '<', now).execute();
  await db.deleteFrom('provider_sign_ins').where('expires_at', '<', now).execute();
  await db.deleteFrom('passkey_challenges').where('expires_at', '<', now).execute();
  await db.deleteFrom('sign_in_attempts').where('window_ends_at', '<', now).execute();
  await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', new Date(now.getTime() - DAY))
    .execute();
  await db
    .deleteFrom('forgotten_recipients')
    .where('forgotten_at', '<', new Date(now.getTime() - FORGOTTEN_RECIPIENT_DAYS * DAY))
    .execute();
  await db
    .deleteFrom('gifts')
    .where('code', 'is', null)
    .where('created_at', '<', new Date(now.getTime() - UNPAID_GIFT_DAYS * DAY))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('transactions')
            .select('transactions.id')
            .whereRef('transactions.store_id', '=', 'gifts.store_id')
            .whereRef('transactions.id', '=', 'gifts.transaction_id')
            // Money may still come of any other.
            .where('transactions.finished', '=', false),
        ),
      ),
    )
    .execute();
}
