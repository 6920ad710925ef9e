import { isRecentSignIn } from '../../accounts/tokens.ts';
import type { CustomerCall } from './call.ts';
import { DomainError } from '../../kernel/errors.ts';

/**
 * Requires a sign-in within the last few minutes, since a stranger at a browser that was left
 * signed in must not change the account's credentials.
 * @throws DomainError conflict sign_in_again
 */
export async function requireRecentSignIn({ services, customer }: Pick<CustomerCall, 'services' | 'customer'>): Promise<void> {
  if (!(await isRecentSignIn(services.db, customer)))
    throw new DomainError('conflict', 'Please sign in again.', { code: 'sign_in_again' });
}
