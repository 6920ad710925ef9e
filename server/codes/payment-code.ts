import { DomainError } from '../kernel/errors.ts';
import type { FullTitle } from '../catalogue/find-title.ts';
import type { Database } from '../database/open.ts';
import type { Caller } from '../accounts/caller-limits.ts';
import { codeMisfit, codeUsed, findCode, redemptionOf, refuseOver, type Code } from './find-code.ts';

/** What a discount takes off a price, in the smallest unit of its currency: never all of it. */
export const amountOff = (amountMinor: number, percent: number): number =>
  Math.max(0, Math.min(Math.round((amountMinor * percent) / 100), amountMinor - 1));

/** The title at the prices that a discount leaves of its own. */
export const withDiscount = (title: FullTitle, percent: number): FullTitle => ({
  ...title,
  prices: title.prices.map((price) => ({ ...price, amount: price.amount - amountOff(price.amount, percent) })),
});

/** A code that somebody pays with: one that is there, is not over, and was not used by them before. */
async function goodCode(db: Database, seeker: Caller & { userId: string }, typed: string): Promise<Code> {
  const code = await findCode(db, seeker, typed).catch((error: unknown) => {
    // Not found is what is being paid for.
    throw error instanceof DomainError && error.kind === 'not_found' ? codeMisfit() : error;
  });
  if (await redemptionOf(db, code, seeker.userId)) throw codeUsed();
  refuseOver(code);
  return code;
}

/**
 * The discount on a title that a code gives. @throws DomainError conflict code_misfit, code_used,
 * code_expired
 */
export async function discountCode(
  db: Database,
  seeker: Caller & { userId: string },
  typed: string,
  titleId: string,
): Promise<{ code: string; percentOff: number }> {
  const { code, kind, title_id: only, percent_off: percentOff } = await goodCode(db, seeker, typed);
  if (kind !== 'discount' || percentOff === null || (only !== null && only !== titleId)) throw codeMisfit();
  return { code, percentOff };
}

/** Something off each title that it is for: one, or any (`titleId` null). */
export type CartDiscount = { code: string; percentOff: number; titleId: string | null };

/**
 * The discount that a code gives on the titles of a cart.
 * @param seeker asked for where a code was typed
 * @returns undefined where no code was typed
 * @throws DomainError conflict code_unknown for an unknown code; code_misfit, code_used,
 * code_expired
 */
export async function cartDiscount(
  db: Database,
  seeker: () => Promise<Caller & { userId: string }>,
  typed = '',
): Promise<CartDiscount | undefined> {
  if (typed === '') return undefined;
  const payer = await seeker();
  const found = await findCode(db, payer, typed).catch((error: unknown) => {
    // Not found is none of the cart's titles.
    throw error instanceof DomainError && error.kind === 'not_found'
      ? new DomainError('conflict', 'This code is unknown.', { code: 'code_unknown' })
      : error;
  });
  if (await redemptionOf(db, found, payer.userId)) throw codeUsed();
  refuseOver(found);
  const { code, kind, title_id: titleId, percent_off: percentOff } = found;
  if (kind !== 'discount' || percentOff === null) throw codeMisfit();
  return { code, percentOff, titleId };
}

/**
 * The free days with which a plan begins by a code. @throws DomainError conflict
 * code_misfit, code_used, code_expired
 */
export async function trialCode(
  db: Database,
  seeker: Caller & { userId: string },
  typed: string,
  planId: string,
): Promise<{ code: string; trialDays: number }> {
  const { code, kind, plan_id: only, trial_days: trialDays } = await goodCode(db, seeker, typed);
  if (kind !== 'subscription' || trialDays === null || only !== planId) throw codeMisfit();
  return { code, trialDays };
}
