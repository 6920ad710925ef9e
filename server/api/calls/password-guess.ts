import { countAttempt, forgiveAttempts, uncountAttempt, type Attempt } from '../../accounts/password-attempts.ts';
import { writeAuditLog } from '../../kernel/audit.ts';
import type { Services } from '../../services.ts';
import { type DomainError, requireNoWait } from '../../kernel/errors.ts';

/**
 * Checks an entered password, which counts as an attempt to sign in. The check of an account that
 * does not exist (`hash` undefined) takes the same time as that of a wrong password.
 * @throws DomainError too_many_requests while guesses are delayed; the error of `createError` for a
 * wrong password
 */
export async function checkPasswordGuess(
  { db, passwords }: Services,
  attempt: Attempt,
  { password, hash, userId }: { password: string; hash: string | null | undefined; userId: string | undefined },
  createError: () => DomainError,
): Promise<void> {
  const countedAttempt = await countAttempt(db, attempt);
  requireNoWait(countedAttempt.wait);
  const isMatch = await passwords.matches(password, hash, countedAttempt.owner).catch(async (error: unknown) => {
    await uncountAttempt(db, countedAttempt);
    throw error;
  });
  if (!isMatch) {
    await writeAuditLog(db, 'wrong_password', { storeId: attempt.storeId, userId: userId ?? null, address: attempt.address });
    throw createError();
  }
  await forgiveAttempts(db, countedAttempt);
}
