import { createHmac, randomUUID } from 'node:crypto';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { notFound } from '../../kernel/errors.ts';
import { realNow } from '../../base/clock/time.ts';

const MINUTES = 60;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JSON Web Token (RFC 7519) signed with HMAC-SHA-256, as Coral's single sign-on takes it. */
function signed(claims: object, secret: string): string {
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/** Coral takes names of 3 to 30 letters, digits, points and underscores. */
const nickname = (name: string, id: string): string => {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\s+/g, '_')
    .replaceAll(/[^\w.]/g, '')
    .slice(0, 30);
  return plain.length >= 3 ? plain : `reader_${id.replaceAll(/\W/g, '').slice(0, 12)}`;
};

/** Signs the customer on to the store's comments, for an hour. */
export async function coralToken({ services, store, customer }: CustomerCall<'coralToken'>): Answer<'coralToken'> {
  const row = await services.db.selectFrom('stores').select('coral_secret').where('id', '=', store.id).executeTakeFirst();
  if (!row?.coral_secret) throw notFound('service of comments');
  const now = Math.floor(realNow() / 1000);
  const user = { id: customer.id, email: customer.email, username: nickname(customer.name, customer.id) };
  return { token: signed({ jti: randomUUID(), iat: now, exp: now + MINUTES * 60, user }, row.coral_secret) };
}
