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

export const codeUsed = () => new DomainError('conflict', 'This code has been used already.', { code: 'code_used' });
const codeWithdrawn = () => new DomainError('conflict', 'This code is not valid any more.', { code: 'code_withdrawn' });
const codeExpired = () => new DomainError('conflict', 'This code has expired.', { code: 'code_expired' });
export const codeMisfit = () => new DomainError('conflict', 'This code is for something else.', { code: 'code_misfit' });

/**
 * Checks that the store accepts this kind of code; every code but a subscription's counts as a
 * title code.
 */
async function assertKindAccepted(db: Database, { store_id, kind, code: text }: Code): Promise<void> {
  const [name, code] =
    kind === 'subscription'
      ? (['EnableWebSubscriptionRedeem', 'subscription_codes_off'] as const)
      : (['EnableWebTitleRedeem', 'title_codes_off'] as const);
  if (await isPropertyOn(db, store_id, name)) return;
  // Codes of gifts are always accepted: they were paid for in this store.
  const gift = await db
    .selectFrom('gifts')
    .select('id')
    .where('store_id', '=', store_id)
    .where('code', '=', text)
    .executeTakeFirst();
  if (!gift) throw new DomainError('conflict', `This shop does not accept codes of the kind ${kind}.`, { code });
}

/**
 * Finds the code that a visitor entered. A wrong one counts as a guess.
 * @throws DomainError not_found not_found; conflict code_elsewhere for a code of another store,
 * title_codes_off and subscription_codes_off if the store does not accept this kind;
 * too_many_requests after too many guesses
 */
export async function findCode(db: Database, seeker: Caller, typed: string): Promise<Code> {
  // Counted before it is looked up, so that a burst of parallel guesses cannot slip through.
  const guess = await countWithFallback(db, seeker.storeId, callerLimits('redeem', seeker));
  requireNoWait(getWaitSeconds(guess));
  const plain = normalizeCode(typed);
  const code = await db
    .selectFrom('codes')
    .selectAll()
    .where('store_id', '=', seeker.storeId)
    .where('code', '=', plain)
    // Campaign codes are only used in the cart.
    .where('kind', '<>', 'campaign')
    .executeTakeFirst();
  if (code) {
    await decrementCounters(db, seeker.storeId, guess.subjects);
    await assertKindAccepted(db, code);
    return code;
  }
  const elsewhere = await db.selectFrom('codes').select('code').where('code', '=', plain).limit(1).executeTakeFirst();
  throw elsewhere ? new DomainError('conflict', 'This code is for another shop.', { code: 'code_elsewhere' }) : notFound('code');
}

/** The customer's redemption of a code. */
export const findRedemption = (db: Database, { store_id, code }: Code, userId: string): Promise<Redemption | undefined> =>
  db
    .selectFrom('redemptions')
    .selectAll()
    .where('store_id', '=', store_id)
    .where('code', '=', code)
    .where('user_id', '=', userId)
    .executeTakeFirst();

/**
 * @throws DomainError conflict code_withdrawn, code_used or code_expired for a code that is no
 * longer valid
 */
export function assertCodeUsable({ uses_left: left, expires_at: expires, withdrawn_at: withdrawn }: Code, now = shopNow()): void {
  if (withdrawn !== null) throw codeWithdrawn();
  if (left === 0) throw codeUsed();
  if (expires !== null && expires <= now) throw codeExpired();
}

/** Ids of the titles that the code grants, one of them or all (`bundle`), in display order. */
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
