import { createHmac, timingSafeEqual } from 'node:crypto';
import { nullable, number, parseJson, pipe, safeParse, string, tuple } from 'valibot';

/** The customer that an address was made for; `session` is the hash of the access token that asked for it. */
export type MediaReader = { userId: string; session: string };

/**
 * The files that a media address opens, and until when: `path` is a file or, ending with a slash, a
 * folder of the title; `expires` is in seconds since 1970. `reader` is null for a sample, which
 * opens without a session.
 */
export type MediaGrant = { titleId: string; storeId: string; path: string; reader: MediaReader | null; expires: number };

const payloadSchema = pipe(
  string(),
  parseJson(),
  tuple([string(), string(), string(), nullable(tuple([string(), string()])), number()]),
);

const seal = (payload: string, secret: Buffer): Buffer => createHmac('sha256', secret).update(payload).digest();

/** A grant as one segment of a path: `{payload}.{signature}`, both base64url. It is in the path because frames cannot send headers. */
export function sign({ titleId, storeId, path, reader, expires }: MediaGrant, secret: Buffer): string {
  const fields = [titleId, storeId, path, reader && [reader.userId, reader.session], expires];
  const payload = Buffer.from(JSON.stringify(fields)).toString('base64url');
  return `${payload}.${seal(payload, secret).toString('base64url')}`;
}

/** The grant; null when the token is forged, of another format, or expired by `now` (seconds since 1970). */
export function verify(token: string, secret: Buffer, now = Date.now() / 1000): MediaGrant | null {
  const [payload = '', signature = ''] = token.split('.', 2);
  const given = Buffer.from(signature, 'base64url');
  const expected = seal(payload, secret);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const read = safeParse(payloadSchema, Buffer.from(payload, 'base64url').toString());
  if (!read.success) return null;
  const [titleId, storeId, path, reader, expires] = read.output;
  if (expires <= now) return null;
  return { titleId, storeId, path, reader: reader && { userId: reader[0], session: reader[1] }, expires };
}
