import { findGuessableReason, type GuessableReason } from '../../accounts/guessable-passwords.ts';
import { readShopNames } from '../../catalogue/shop-name.ts';
import type { Call } from '../calls/call.ts';
import { DomainError } from '../../kernel/errors.ts';

const MIN_CHARS = 8;
const MAX_CHARS = 200;

const MESSAGES: Record<GuessableReason, string> = {
  common_password: 'Many people use this password.',
  simple_password: 'This password is a simple pattern: characters in a row, repeats or a date.',
  password_is_email: 'This password is your email address, or a part of it.',
  password_is_shop: 'This password is the name of the shop, or a part of it.',
};

/**
 * Checks a password before it is hashed.
 * @param email of its account; empty if the account has no address
 * @throws DomainError bad_request: `weak_password` if its length is not `MIN_CHARS` to `MAX_CHARS`;
 * `common_password`, `simple_password`, `password_is_email` or `password_is_shop` if it would be
 * among the first guesses
 */
export async function checkNewPassword({ services, store }: Call, password: string, email: string): Promise<void> {
  if (password.length < MIN_CHARS || password.length > MAX_CHARS)
    throw new DomainError('bad_request', `A password must have ${MIN_CHARS} to ${MAX_CHARS} characters.`, {
      code: 'weak_password',
    });
  const reason = await findGuessableReason(password, { email, shopNames: await readShopNames(services.db, store.id) });
  if (reason !== null) throw new DomainError('bad_request', MESSAGES[reason], { code: reason });
}
