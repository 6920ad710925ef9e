import { createHmac, randomUUID } from 'node:crypto';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { notFound } from '../../kernel/errors.ts';
import { realNow } from '../../base/clock/time.ts';

const TOKEN_MINUTES = 60;

const encodePart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Creates a JSON Web Token (RFC 7519) with HMAC-SHA-256, the format of Coral's single sign-on. */
function signToken(claims: object, secret: string): string {
  const text = `${encodePart({ alg: 'HS256', typ: 'JWT' })}.${encodePart(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/** Converts a name to one that Coral accepts: 3 to 30 ASCII word characters and points. */
const toNickname = (name: string, id: string): string => {
  const plainName = name
    .normalize('NFKD')
    .replaceAll(/\s+/g, '_')
    .replaceAll(/[^\w.]/g, '')
    .slice(0, 30);
  return plainName.length >= 3 ? plainName : `reader_${id.replaceAll(/\W/g, '').slice(0, 12)}`;
};

/** Signs the customer in to the store's comments, for an hour. */
export async function coralToken({ services, store, customer }: CustomerCall<'coralToken'>): Answer<'coralToken'> {
  const row = await services.db.selectFrom('stores').select('coral_secret').where('id', '=', store.id).executeTakeFirst();
  if (!row?.coral_secret) throw notFound('comments service');
  const now = Math.floor(realNow() / 1000);
  const user = { id: customer.id, email: customer.email, username: toNickname(customer.name, customer.id) };
  return { token: signToken({ jti: randomUUID(), iat: now, exp: now + TOKEN_MINUTES * 60, user }, row.coral_secret) };
}
