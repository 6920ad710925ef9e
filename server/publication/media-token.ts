import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { nullable, number, parseJson, pipe, safeParse, string, tuple } from 'valibot';
import { realNow } from '../base/clock/time.ts';

/**
 * The customer that an address was made for; `session` is the hash of the access token that
 * requested it.
 */
export type MediaReader = { userId: string; session: string };

/**
 * The files that a media address opens, and its expiry: `path` is a file or, ending with a slash, a
 * folder of the title; `expires` is in seconds since 1970. `reader` is null for a sample, which
 * opens without a session.
 */
export type MediaGrant = { titleId: string; storeId: string; path: string; reader: MediaReader | null; expires: number };

const payloadSchema = pipe(
  string(),
  parseJson(),
  tuple([string(), string(), string(), nullable(tuple([string(), string()])), number()]),
);

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const deriveKey = (secret: Buffer): Buffer => createHmac('sha256', secret).update('media token').digest();
const deriveNonceKey = (secret: Buffer): Buffer => createHmac('sha256', secret).update('media token nonce').digest();

/**
 * The nonce of a text, derived by its own key: equal texts have equal tokens, and two texts share a
 * nonce only by chance (2^-96).
 */
const deriveNonce = (text: string, secret: Buffer): Buffer =>
  createHmac('sha256', deriveNonceKey(secret)).update(text).digest().subarray(0, NONCE_BYTES);

/**
 * A grant as one path segment: `{nonce}.{ciphertext and tag}`, both base64url. In the path because
 * frames cannot send headers, and encrypted because an interactive title can read its own address,
 * but must not learn the customer's id and session. The same grant gets the same token, so that
 * browsers can reuse their cache.
 */
export function sealGrant({ titleId, storeId, path, reader, expires }: MediaGrant, secret: Buffer): string {
  const text = JSON.stringify([titleId, storeId, path, reader && [reader.userId, reader.session], expires]);
  const nonce = deriveNonce(text, secret);
  const cipher = createCipheriv(CIPHER, deriveKey(secret), nonce);
  const sealed = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return `${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
}

/** The decrypted text; null for a token that was not made with the secret. */
function decrypt(token: string, secret: Buffer): string | null {
  const [nonce = Buffer.alloc(0), sealed = Buffer.alloc(0)] = token.split('.', 2).map((part) => Buffer.from(part, 'base64url'));
  if (nonce.length !== NONCE_BYTES || sealed.length < TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv(CIPHER, deriveKey(secret), nonce).setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]).toString();
  } catch {
    return null;
  }
}

/**
 * The grant; null when the token is forged, of another format, or expired at `now` (seconds since
 * 1970).
 */
export function openToken(token: string, secret: Buffer, now = realNow() / 1000): MediaGrant | null {
  const parsed = safeParse(payloadSchema, decrypt(token, secret));
  if (!parsed.success) return null;
  const [titleId, storeId, path, reader, expires] = parsed.output;
  if (expires <= now) return null;
  return { titleId, storeId, path, reader: reader && { userId: reader[0], session: reader[1] }, expires };
}
