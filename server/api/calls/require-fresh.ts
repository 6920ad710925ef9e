import { isFresh } from '../../accounts/tokens.ts';
import type { CustomerCall } from './call.ts';
import { DomainError } from '../../kernel/errors.ts';

/**
 * Lets a customer go on who has signed in a moment ago: another person who finds the browser signed
 * in cannot change how the account is opened.
 * @throws DomainError conflict sign_in_again
 */
export async function requireFresh({ services, customer }: Pick<CustomerCall, 'services' | 'customer'>): Promise<void> {
  if (!(await isFresh(services.db, customer)))
    throw new DomainError('conflict', 'Please sign in again.', { code: 'sign_in_again' });
}
