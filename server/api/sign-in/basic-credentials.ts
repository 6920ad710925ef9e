import type { FastifyRequest } from 'fastify';
import { isEmail } from '../../../machines/model/account/email.ts';
import { DomainError } from '../../kernel/errors.ts';

const MAX_CREDENTIALS_CHARS = 1000;
const MAX_EMAIL_CHARS = 300;

/**
 * Quoted local parts and IPv6 literals may contain colons: the separator is the first colon after a
 * valid address.
 */
function colonAfterEmail(text: string): number {
  const first = text.indexOf(':');
  for (let colon = first; colon !== -1 && colon <= MAX_EMAIL_CHARS; colon = text.indexOf(':', colon + 1))
    if (isEmail(text.slice(0, colon).trim())) return colon;
  return first;
}

/**
 * The user name and password of a basic Authorization header (RFC 7617, UTF-8).
 * @throws DomainError unauthorized when they are missing or not well-formed
 */
export function basicCredentials(request: FastifyRequest): { email: string; password: string } {
  const [scheme, encoded] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() === 'basic' && encoded && encoded.length <= MAX_CREDENTIALS_CHARS) {
    const text = Buffer.from(encoded, 'base64').toString('utf8');
    const colon = colonAfterEmail(text);
    if (!text.includes('\u0000') && colon > 0 && colon < text.length - 1)
      return { email: text.slice(0, colon).trim(), password: text.slice(colon + 1) };
  }
  throw new DomainError('unauthorized', 'Please give an email address and a password.');
}
