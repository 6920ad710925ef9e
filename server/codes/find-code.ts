import type { Selectable } from 'kysely';
import { decrementCounters } from '../accounts/call-counters.ts';
import { type Caller, callerLimits, countWithFallback, getWaitSeconds } from '../accounts/caller-limits.ts';
import { notFound, DomainError, requireNoWait } from '../kernel/errors.ts';
import { isPropertyOn } from '../stores/store-property.ts';
import type { Database } from '../database/open.ts';
import type { CodesTable, RedemptionsTable } from '../database/schema/offers.ts';
import { normalizeCode } from '../base/code-text.ts';
import { shopNow } from '../base/clock/time.ts';

export type Code = Selectable<CodesTable>;
export type Redemption = Selectable<RedemptionsTable>;

export const codeUsedError = () => new DomainError('conflict', 'This code has been used already.', { code: 'code_used' });
const codeWithdrawnError = () => new DomainError('conflict', 'This code is not valid any more.', { code: 'code_withdrawn' });
const codeExpiredError = () => new DomainError('conflict', 'This code has expired.', { code: 'code_expired' });
export const codeMisfitError = () => new DomainError('conflict', 'This code is for something else.', { code: 'code_misfit' });

/**
 * Checks that the store accepts this kind of code; every code but a subscription's counts as a
 * title code.
 * @throws DomainError conflict title_codes_off or subscription_codes_off
 */
async function assertKindAccepted(db: Database, { store_id, kind, code: codeText }: Code): Promise<void> {
  const [propertyName, code] =
    kind === 'subscription'
      ? (['EnableWebSubscriptionRedeem', 'subscription_codes_off'] as const)
      : (['EnableWebTitleRedeem', 'title_codes_off'] as const);
  if (await isPropertyOn(db, store_id, propertyName)) return;
  // Codes of gifts are always accepted: the gifts were given in this store.
  const gift = await db
    .selectFrom('gifts')
    .select('id')
    .where('store_id', '=', store_id)
    .where('code', '=', codeText)
    .executeTakeFirst();
  if (!gift) throw new DomainError('conflict', `This shop does not accept codes of the kind ${kind}.`, { code });
}

/**
 * Finds the code that a visitor entered. A wrong code counts as a guess.
 * @throws DomainError not_found not_found; conflict code_elsewhere for a code of another store;
 * conflict title_codes_off or subscription_codes_off if the store does not accept this kind;
 * too_many_requests after too many guesses
 */
export async function findCode(db: Database, caller: Caller, enteredCode: string): Promise<Code> {
  // Counted before the look-up, so that a burst of parallel guesses cannot exceed the limit.
  const guess = await countWithFallback(db, caller.storeId, callerLimits('redeem', caller));
  requireNoWait(getWaitSeconds(guess));
  const normalizedCode = normalizeCode(enteredCode);
  const code = await db
    .selectFrom('codes')
    .selectAll()
    .where('store_id', '=', caller.storeId)
    .where('code', '=', normalizedCode)
    // Codes of campaigns cannot be redeemed.
    .where('kind', '<>', 'campaign')
    .executeTakeFirst();
  if (code) {
    await decrementCounters(db, caller.storeId, guess.subjects);
    await assertKindAccepted(db, code);
    return code;
  }
  const codeOfOtherStore = await db
    .selectFrom('codes')
    .select('code')
    .where('code', '=', normalizedCode)
    .limit(1)
    .executeTakeFirst();
  throw codeOfOtherStore
    ? new DomainError('conflict', 'This code is for another shop.', { code: 'code_elsewhere' })
    : notFound('code');
}

/** Finds the customer's redemption of a code. */
export const findRedemption = (db: Database, { store_id, code }: Code, userId: string): Promise<Redemption | undefined> =>
  db
    .selectFrom('redemptions')
    .selectAll()
    .where('store_id', '=', store_id)
    .where('code', '=', code)
    .where('user_id', '=', userId)
    .executeTakeFirst();

/**
 * Checks that a code is still valid.
 * @throws DomainError conflict code_withdrawn, code_used or code_expired
 */
export function assertCodeUsable(
  { uses_left: usesLeft, expires_at: expiresAt, withdrawn_at: withdrawnAt }: Code,
  now = shopNow(),
): void {
  if (withdrawnAt !== null) throw codeWithdrawnError();
  if (usesLeft === 0) throw codeUsedError();
  if (expiresAt !== null && expiresAt <= now) throw codeExpiredError();
}

/**
 * Returns the ids of the code's titles in display order: a `bundle` grants all of them, other kinds
 * one of them.
 */
export async function readTitleIds(db: Database, { store_id, code, kind, title_id: titleId }: Code): Promise<string[]> {
  if (kind !== 'titles' && kind !== 'bundle') return titleId === null ? [] : [titleId];
  const rows = await db
    .selectFrom('code_titles')
    .select('title_id')
    .where('store_id', '=', store_id)
    .where('code', '=', code)
    .orderBy('position')
    .execute();
  return rows.map((row) => row.title_id);
}
