import { DomainError } from '../kernel/errors.ts';
import type { FullTitle } from '../catalogue/find-title.ts';
import type { Database } from '../database/open.ts';
import type { Caller } from '../accounts/caller-limits.ts';
import { codeMisfit, codeUsed, findCode, findRedemption, assertCodeUsable, type Code } from './find-code.ts';

/** The discount on a price, in the smallest unit of its currency; the price stays at least 1. */
export const amountOff = (amountMinor: number, percent: number): number =>
  Math.max(0, Math.min(Math.round((amountMinor * percent) / 100), amountMinor - 1));

/** The title at its discounted prices. */
export const applyDiscount = (title: FullTitle, percent: number): FullTitle => ({
  ...title,
  prices: title.prices.map((price) => ({ ...price, amount: price.amount - amountOff(price.amount, percent) })),
});

/** A valid code that the customer has not used before. */
async function requireUsableCode(db: Database, seeker: Caller & { userId: string }, typed: string): Promise<Code> {
  const code = await findCode(db, seeker, typed).catch((error: unknown) => {
    // not_found would refer to the title or plan that is being paid for.
    throw error instanceof DomainError && error.kind === 'not_found' ? codeMisfit() : error;
  });
  if (await findRedemption(db, code, seeker.userId)) throw codeUsed();
  assertCodeUsable(code);
  return code;
}

/**
 * The discount of a code on a title.
 * @throws DomainError conflict code_misfit, code_used, code_expired
 */
export async function requireDiscountCode(
  db: Database,
  seeker: Caller & { userId: string },
  typed: string,
  titleId: string,
): Promise<{ code: string; percentOff: number }> {
  const { code, kind, title_id: only, percent_off: percentOff } = await requireUsableCode(db, seeker, typed);
  if (kind !== 'discount' || percentOff === null || (only !== null && only !== titleId)) throw codeMisfit();
  return { code, percentOff };
}

/** A discount on one title, or on each title of the cart (`titleId` null). */
export type CartDiscount = { code: string; percentOff: number; titleId: string | null };

/**
 * The discount of a code on the titles of a cart.
 * @param seeker resolved only if a code was entered
 * @returns undefined without a code
 * @throws DomainError conflict code_unknown for an unknown code; code_misfit, code_used,
 * code_expired
 */
export async function readCartDiscount(
  db: Database,
  seeker: () => Promise<Caller & { userId: string }>,
  typed = '',
): Promise<CartDiscount | undefined> {
  if (typed === '') return undefined;
  const payer = await seeker();
  const found = await findCode(db, payer, typed).catch((error: unknown) => {
    // not_found would refer to a title of the cart.
    throw error instanceof DomainError && error.kind === 'not_found'
      ? new DomainError('conflict', 'This code is unknown.', { code: 'code_unknown' })
      : error;
  });
  if (await findRedemption(db, found, payer.userId)) throw codeUsed();
  assertCodeUsable(found);
  const { code, kind, title_id: titleId, percent_off: percentOff } = found;
  if (kind !== 'discount' || percentOff === null) throw codeMisfit();
  return { code, percentOff, titleId };
}

/**
 * The trial that a code grants for a plan.
 * @throws DomainError conflict code_misfit, code_used, code_expired
 */
export async function requireTrialCode(
  db: Database,
  seeker: Caller & { userId: string },
  typed: string,
  planId: string,
): Promise<{ code: string; trialDays: number }> {
  const { code, kind, plan_id: only, trial_days: trialDays } = await requireUsableCode(db, seeker, typed);
  if (kind !== 'subscription' || trialDays === null || only !== planId) throw codeMisfit();
  return { code, trialDays };
}
