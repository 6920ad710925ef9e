import type { Plain } from './format.ts';
import { hashOf } from '../paths/hash.ts';
import { type Redact } from './plain.ts';

/** Also as it stands in a query, and in a query within a query; what is escaped before it is not part of it. */
const email = /(%[\da-f]{2})?([^\s@/?&=<>,;:"()[\]%]+)(@|%(?:25)*40)((?:[\p{L}\d-]+\.)+\p{L}{2,})/giu;
/** What is long and of no language may be an access token or a signature; what is escaped before it, as in a query within a query, is not part of it. */
const long = /%(?:25)*[\da-f]{2}|[\w-]{32,}(?:\.[\w-]{16,})*/gi;
/** Identifiers (UUIDs) are none, nor are the names of titles in addresses: words and numbers between hyphens. */
const harmless = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$|^(?:[a-z]+|\d{1,4})(?:-(?:[a-z]+|\d{1,4}))+$/i;
/** Keys under `pii` of which not even the shape is kept. */
const secret = /password|code|token|card|cvc|pin/i;

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Numbers from 0 up to 1 that nobody can foretell. */
export type Chance = () => number;

/**
 * Pseudonyms for personal data and secrets, drawn by chance, so that nothing leads back from them: the same for the same text.
 * `drawn` holds those that were drawn before, by a hash of their text; it must stay out of the trace. An e-mail address
 * stays one, of a domain that nobody can have.
 */
export const pseudonyms = (chance: Chance, drawn: Map<string, string>): Redact => {
  const below = (count: number): number => Math.floor(chance() * count);
  /** Another text of the same shape: letters for letters, digits for digits, a star for what is neither nor a separator. */
  const shaped = (text: string): string =>
    text.replace(/[^\s.,'+:/_()-]/gu, (sign) => {
      if (/\p{N}/u.test(sign)) return String((Number(/\d/.exec(sign)?.[0] ?? 0) + 1 + below(9)) % 10);
      if (!/[\p{L}\p{M}]/u.test(sign)) return '*';
      const letter = letters.charAt((letters.indexOf(sign.toLowerCase()) + 1 + below(25)) % 26);
      return sign === sign.toLowerCase() ? letter : letter.toUpperCase();
    });
  const pseudonymOf = (text: string, draw: (text: string) => string): string => {
    const key = `${hashOf(text).toString(36)}.${hashOf(text, text.length + 1).toString(36)}`;
    const known = drawn.get(key);
    if (known !== undefined) return known;
    const pseudonym = draw(text);
    drawn.set(key, pseudonym);
    return pseudonym;
  };
  const emailFor = (_: string, before = '', user: string, at: string, domain: string): string => {
    const name = (address: string): string =>
      `${shaped(address.split('@')[0] ?? '')}@${shaped(domain.split('.')[0] ?? '')}.example`;
    return before + pseudonymOf(`${user}@${domain}`, name).replace('@', at);
  };
  const secretFor = (found: string): string =>
    found.startsWith('%') || harmless.test(found) ? found : pseudonymOf(found, shaped);
  const isEmail = (text: string): boolean => text.replace(email, '') === '' && text !== '';
  const personal = (value: Plain, key = ''): Plain => {
    if (typeof value === 'string' && secret.test(key)) return value === '' ? '' : 'secret';
    if (typeof value === 'string') return isEmail(value) ? value.replace(email, emailFor) : pseudonymOf(value, shaped);
    if (typeof value === 'number') return Number(pseudonymOf(String(value), shaped));
    if (Array.isArray(value)) return value.map((part) => personal(part, key));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, personal(part, name)]));
  };
  const text = (written: string): string => {
    const withoutEmails = /@|%(?:25)*40/.test(written) ? written.replace(email, emailFor) : written;
    return written.length < 32 ? withoutEmails : withoutEmails.replace(long, secretFor);
  };
  return { personal, text };
};
