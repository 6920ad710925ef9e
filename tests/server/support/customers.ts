import { randomUUID } from 'node:crypto';
import { hashToken } from '../../../server/accounts/tokens.ts';
import type { Shop } from './shop.ts';

export const PASSWORD = 'correct horse';

export const basic = (email: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
});

export const signUpDocument = (email: string, more = '') =>
  `<Signup><Email>${email}</Email><Name>Ann &amp; Co</Name><AgreeTerms>true</AgreeTerms>${more}</Signup>`;

export type Customer = { store: string; email: string; id: string; query: { shelfid: string; accesstoken: string } };

/** A new customer of the store, signed in. */
export async function customerOf(shop: Shop, store: string): Promise<Customer> {
  const email = `${randomUUID()}@example.org`;
  const { value, text } = await shop.ask('signUp', '/user/signup', {
    query: { shelfid: store, appid: 'web' },
    headers: basic(email, PASSWORD),
    body: signUpDocument(email),
  });
  const { IdToken, UserId } = value as { IdToken?: string; UserId?: string };
  if (!IdToken || !UserId) throw new Error(`No sign-up: ${text}`);
  return { store, email, id: UserId, query: { shelfid: store, accesstoken: IdToken } };
}

/**
 * Lets the customer's session be of eleven minutes ago: too long for what asks for a recent
 * sign-in.
 */
export async function ageSession(shop: Shop, { query }: Pick<Customer, 'query'>): Promise<void> {
  await shop.db
    .updateTable('tokens')
    .set({ created_at: new Date(Date.now() - 11 * 60_000) })
    .where('hash', '=', hashToken(query.accesstoken))
    .execute();
}
