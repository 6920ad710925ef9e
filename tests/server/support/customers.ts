import { randomUUID } from 'node:crypto';
import { hashToken } from '../../../server/accounts/tokens.ts';
import type { Shop } from './shop.ts';

export const PASSWORD = 'correct horse';

export const basicAuth = (email: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
});

export const signUpXml = (email: string, extraXml = '') =>
  `<Signup><Email>${email}</Email><Name>Ann &amp; Co</Name><AgreeTerms>true</AgreeTerms>${extraXml}</Signup>`;

export type Customer = { store: string; email: string; id: string; query: { shelfid: string; accesstoken: string } };

/** Signs up a new customer of the store. */
export async function createCustomer(shop: Shop, store: string): Promise<Customer> {
  const email = `${randomUUID()}@example.org`;
  const { status, value, text } = await shop.call('signUp', '/user/signup', {
    query: { shelfid: store, appid: 'web' },
    headers: basicAuth(email, PASSWORD),
    body: signUpXml(email),
  });
  const { IdToken, UserId } = value as { IdToken?: string; UserId?: string };
  if (!IdToken || !UserId) throw new Error(`The sign-up of ${email} failed: HTTP ${status} ${text}`);
  return { store, email, id: UserId, query: { shelfid: store, accesstoken: IdToken } };
}

/**
 * Ages the customer's session to eleven minutes: too old for operations that need a recent sign-in.
 */
export async function ageSession(shop: Shop, { query }: Pick<Customer, 'query'>): Promise<void> {
  await shop.db
    .updateTable('tokens')
    .set({ created_at: new Date(Date.now() - 11 * 60_000) })
    .where('hash', '=', hashToken(query.accesstoken))
    .execute();
}
