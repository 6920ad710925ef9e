import { DomainError } from '../kernel/errors.ts';
import type { FullTitle } from '../catalogue/find-title.ts';
import type { Database } from '../database/open.ts';
import type { Caller } from '../accounts/caller-limits.ts';
import { codeMisfitError, codeUsedError, findCode, findRedemption, assertCodeUsable, type Code } from './find-code.ts';

/**
 * Returns the discount on a price, in the smallest unit of its currency; of a price above 0 at
 * least 1 remains.
 */
export const computeDiscount = (amountMinor: number, percent: number): number =>
  Math.max(0, Math.min(Math.round((amountMinor * percent) / 100), amountMinor - 1));

/** Returns the title at its discounted prices. */
export const applyDiscount = (title: FullTitle, percent: number): FullTitle => ({
  ...title,
  prices: title.prices.map((price) => ({ ...price, amount: price.amount - computeDiscount(price.amount, percent) })),
});

/**
 * Finds a valid code that the customer has not used before.
 * @throws DomainError conflict code_misfit for an unknown code; conflict code_used, code_expired,
 * code_withdrawn, code_elsewhere, title_codes_off or subscription_codes_off; too_many_requests
 */
async function requireUsableCode(db: Database, caller: Caller & { userId: string }, enteredCode: string): Promise<Code> {
  const code = await findCode(db, caller, enteredCode).catch((error: unknown) => {
    // not_found would refer to the title or plan that is being paid for.
    throw error instanceof DomainError && error.kind === 'not_found' ? codeMisfitError() : error;
  });
  if (await findRedemption(db, code, caller.userId)) throw codeUsedError();
  assertCodeUsable(code);
  return code;
}

/**
 * Returns the discount of a code on a title.
 * @throws DomainError conflict code_misfit for an unknown code or another title's; the other errors
 * of `requireUsableCode`
 */
export async function requireDiscountCode(
  db: Database,
  caller: Caller & { userId: string },
  enteredCode: string,
  titleId: string,
): Promise<{ code: string; percentOff: number }> {
  const { code, kind, title_id: boundTitleId, percent_off: percentOff } = await requireUsableCode(db, caller, enteredCode);
  if (kind !== 'discount' || percentOff === null || (boundTitleId !== null && boundTitleId !== titleId)) throw codeMisfitError();
  return { code, percentOff };
}

/** A discount on one title, or on each title of the cart (`titleId` null). */
export type CartDiscount = { code: string; percentOff: number; titleId: string | null };

/**
 * Returns the discount of a code on the titles of a cart.
 * @param resolveCaller called only if a code was entered
 * @returns undefined without a code
 * @throws DomainError conflict code_unknown for an unknown code; conflict code_misfit, code_used,
 * code_expired, code_withdrawn, code_elsewhere, title_codes_off or subscription_codes_off;
 * too_many_requests
 */
export async function readCartDiscount(
  db: Database,
  resolveCaller: () => Promise<Caller & { userId: string }>,
  enteredCode = '',
): Promise<CartDiscount | undefined> {
  if (enteredCode === '') return undefined;
  const payer = await resolveCaller();
  const storedCode = await findCode(db, payer, enteredCode).catch((error: unknown) => {
    // not_found would refer to a title of the cart.
    throw error instanceof DomainError && error.kind === 'not_found'
      ? new DomainError('conflict', 'This code is unknown.', { code: 'code_unknown' })
      : error;
  });
  if (await findRedemption(db, storedCode, payer.userId)) throw codeUsedError();
  assertCodeUsable(storedCode);
  const { code, kind, title_id: titleId, percent_off: percentOff } = storedCode;
  if (kind !== 'discount' || percentOff === null) throw codeMisfitError();
  return { code, percentOff, titleId };
}

/**
 * Returns the trial that a code grants for a plan.
 * @throws DomainError conflict code_misfit for an unknown code or another plan's; the other errors
 * of `requireUsableCode`
 */
export async function requireTrialCode(
  db: Database,
  caller: Caller & { userId: string },
  enteredCode: string,
  planId: string,
): Promise<{ code: string; trialDays: number }> {
  const { code, kind, plan_id: boundPlanId, trial_days: trialDays } = await requireUsableCode(db, caller, enteredCode);
  if (kind !== 'subscription' || trialDays === null || boundPlanId !== planId) throw codeMisfitError();
  return { code, trialDays };
}
