import { countAttempt, forgiveAttempts, uncountAttempt, type Attempt } from '../../accounts/password-attempts.ts';
import { writeAuditLog } from '../../kernel/audit.ts';
import type { Services } from '../../services.ts';
import { type DomainError, requireNoWait } from '../../kernel/errors.ts';

/**
 * Checks a typed password, counted among the attempts to sign in. An account that does not exist
 * (`hash` undefined) takes the same time as a wrong password.
 * @throws DomainError too_many_requests while guesses are delayed; the error of `wrong` for a wrong
 * password
 */
export async function checkPasswordGuess(
  { db, passwords }: Services,
  attempt: Attempt,
  { password, hash, userId }: { password: string; hash: string | null | undefined; userId: string | undefined },
  wrong: () => DomainError,
): Promise<void> {
  const counted = await countAttempt(db, attempt);
  requireNoWait(counted.wait);
  const matches = await passwords.matches(password, hash, counted.owner).catch(async (error: unknown) => {
    await uncountAttempt(db, counted);
    throw error;
  });
  if (!matches) {
    await writeAuditLog(db, 'wrong_password', { storeId: attempt.storeId, userId: userId ?? null, address: attempt.address });
    throw wrong();
  }
  await forgiveAttempts(db, counted);
}
