import { isFresh } from '../accounts/tokens.ts';
import type { CustomerCall } from './call.ts';
import { Refusal } from './refusal.ts';

/**
 * Lets a customer go on who has signed in a moment ago: another person who finds the browser signed
 * in cannot change how the account is opened.
 * @throws Refusal 409 sign_in_again
 */
export async function requireFresh({ services, customer }: Pick<CustomerCall, 'services' | 'customer'>): Promise<void> {
  if (!(await isFresh(services.db, customer))) throw new Refusal(409, 'Please sign in again.', { code: 'sign_in_again' });
}
