import type { FastifyRequest } from 'fastify';
import { isEmail } from '../../../machines/model/account/email.ts';
import { DomainError } from '../../kernel/errors.ts';

const MAX_CREDENTIALS_CHARS = 1000;
const MAX_EMAIL_CHARS = 300;

/**
 * Returns the index of the colon between address and password, -1 without a colon. Quoted local
 * parts and IPv6 literals may contain colons: the separator is the first colon after a valid
 * address, else the first colon.
 */
function findSeparator(text: string): number {
  const firstColon = text.indexOf(':');
  for (let colon = firstColon; colon !== -1 && colon <= MAX_EMAIL_CHARS; colon = text.indexOf(':', colon + 1))
    if (isEmail(text.slice(0, colon).trim())) return colon;
  return firstColon;
}

/**
 * Reads the user name and password of a basic Authorization header (RFC 7617, UTF-8).
 * @throws DomainError unauthorized if the header is missing or not well-formed
 */
export function readBasicCredentials(request: FastifyRequest): { email: string; password: string } {
  const [scheme, encoded] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() === 'basic' && encoded && encoded.length <= MAX_CREDENTIALS_CHARS) {
    const text = Buffer.from(encoded, 'base64').toString('utf8');
    const colon = findSeparator(text);
    if (!text.includes('\u0000') && colon > 0 && colon < text.length - 1)
      return { email: text.slice(0, colon).trim(), password: text.slice(colon + 1) };
  }
  throw new DomainError('unauthorized', 'Please give an email address and a password.');
}
