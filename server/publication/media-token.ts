import { createHmac, timingSafeEqual } from 'node:crypto';
import { boolean, number, parse, string, tuple } from 'valibot';

/** What an address of media grants. `expires` in seconds since 1970; `sample`: the title's sample alone. */
export type MediaGrant = { titleId: string; storeId: string; sample: boolean; expires: number };

const payloadSchema = tuple([string(), string(), boolean(), number()]);

const seal = (payload: string, secret: Buffer): Buffer => createHmac('sha256', secret).update(payload).digest();

/** A grant as one segment of a path: `{payload}.{signature}`, both base64url. It stands in the path because frames cannot send headers. */
export function sign({ titleId, storeId, sample, expires }: MediaGrant, secret: Buffer): string {
  const payload = Buffer.from(JSON.stringify([titleId, storeId, sample, expires])).toString('base64url');
  return `${payload}.${seal(payload, secret).toString('base64url')}`;
}

/** The grant, or null when it was forged or has expired by `now` (seconds since 1970). */
export function verify(token: string, secret: Buffer, now = Date.now() / 1000): MediaGrant | null {
  const [payload = '', signature = ''] = token.split('.', 2);
  const given = Buffer.from(signature, 'base64url');
  const expected = seal(payload, secret);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const [titleId, storeId, sample, expires] = parse(payloadSchema, JSON.parse(Buffer.from(payload, 'base64url').toString()));
  return expires > now ? { titleId, storeId, sample, expires } : null;
}
