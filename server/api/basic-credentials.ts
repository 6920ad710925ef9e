import type { FastifyRequest } from 'fastify';
import { Refusal } from './refusal.ts';

const MOST = 1000;

/**
 * The user name and password of a basic Authorization header (RFC 7617, UTF-8).
 * @throws Refusal 401 when there are none, or they are not well-formed
 */
export function basicCredentials(request: FastifyRequest): { email: string; password: string } {
  const [scheme, encoded] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() === 'basic' && encoded && encoded.length <= MOST) {
    const text = Buffer.from(encoded, 'base64').toString('utf8');
    const colon = text.indexOf(':');
    if (!text.includes('\u0000') && colon > 0 && colon < text.length - 1)
      return { email: text.slice(0, colon).trim(), password: text.slice(colon + 1) };
  }
  throw new Refusal(401, 'Give an e-mail address and a password.');
}
