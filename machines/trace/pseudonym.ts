import type { Plain } from './format.ts';
import { hashText } from '../paths/hash.ts';
import { type Redact } from './plain.ts';

/**
 * E-mail addresses, also when encoded in a query, or in a query within a query; a preceding escape
 * sequence is not part of the address.
 */
const emailPattern = /(%[\da-f]{2})?([^\s@/?&=<>,;:"()[\]%]+)(@|%(?:25)*40)((?:[\p{L}\d-]+\.)+\p{L}{2,})/giu;
/**
 * Long strings that are not words may be access tokens or signatures; a preceding escape sequence,
 * as in a query within a query, is not part of them.
 */
const longTextPattern = /%(?:25)*[\da-f]{2}|[\w-]{32,}(?:\.[\w-]{16,})*/gi;
/** Not secrets: UUIDs, and titles' names in addresses (words and numbers between hyphens). */
const harmlessPattern = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$|^(?:[a-z]+|\d{1,4})(?:-(?:[a-z]+|\d{1,4}))+$/i;
/** Keys under `pii` whose values are redacted completely, without keeping their shape. */
const secretKeyPattern = /password|code|token|card|cvc|pin/i;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/** Unpredictable random numbers from 0 (inclusive) to 1 (exclusive). */
export type RandomSource = () => number;

/**
 * Random pseudonyms for personal data and secrets, which cannot be reversed; the same text always
 * gets the same one. `drawn` holds earlier pseudonyms by a hash of their text, so it must stay out
 * of the trace. An e-mail address becomes another one in a reserved domain (`.example`).
 */
export const createPseudonymizer = (chance: RandomSource, drawn: Map<string, string>): Redact => {
  const below = (count: number): number => Math.floor(chance() * count);
  /**
   * Another text of the same shape: random a–z for alphabetic characters, other digits for digits;
   * separators stay, and all other characters become stars.
   */
  const shaped = (text: string): string =>
    text.replace(/[^\s.,'+:/_()-]/gu, (sign) => {
      if (/\p{N}/u.test(sign)) return String((Number(/\d/.exec(sign)?.[0] ?? 0) + 1 + below(9)) % 10);
      if (!/[\p{L}\p{M}]/u.test(sign)) return '*';
      const letter = ALPHABET.charAt((ALPHABET.indexOf(sign.toLowerCase()) + 1 + below(25)) % 26);
      return sign === sign.toLowerCase() ? letter : letter.toUpperCase();
    });
  const pseudonymOf = (text: string, draw: (text: string) => string): string => {
    const key = `${hashText(text).toString(36)}.${hashText(text, text.length + 1).toString(36)}`;
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
    found.startsWith('%') || harmlessPattern.test(found) ? found : pseudonymOf(found, shaped);
  const isEmail = (text: string): boolean => text.replace(emailPattern, '') === '' && text !== '';
  const personal = (value: Plain, key = ''): Plain => {
    if (typeof value === 'string' && secretKeyPattern.test(key)) return value === '' ? '' : 'secret';
    if (typeof value === 'string') return isEmail(value) ? value.replace(emailPattern, emailFor) : pseudonymOf(value, shaped);
    if (typeof value === 'number') return Number(pseudonymOf(String(value), shaped));
    if (Array.isArray(value)) return value.map((part) => personal(part, key));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, personal(part, name)]));
  };
  const text = (written: string): string => {
    const withoutEmails = /@|%(?:25)*40/.test(written) ? written.replace(emailPattern, emailFor) : written;
    return written.length < 32 ? withoutEmails : withoutEmails.replace(longTextPattern, secretFor);
  };
  return { personal, text };
};
