import type { Plain } from './format.ts';
import { hashText } from '../paths/hash.ts';
import { type Redact } from './plain.ts';

/**
 * Matches e-mail addresses, also when encoded in a query, or in a query within a query. A preceding
 * escape sequence is not part of the address.
 */
const emailPattern = /(%[\da-f]{2})?([^\s@/?&=<>,;:"()[\]%]+)(@|%(?:25)*40)((?:[\p{L}\d-]+\.)+\p{L}{2,})/giu;
/**
 * Matches long strings, which may be access tokens or signatures. A preceding escape sequence, as
 * in a query within a query, is not part of them.
 */
const longTextPattern = /%(?:25)*[\da-f]{2}|[\w-]{32,}(?:\.[\w-]{16,})*/gi;
/** Matches strings without secrets: UUIDs, and titles' names in URLs (words between hyphens). */
const harmlessPattern = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$|^(?:[a-z]+|\d{1,4})(?:-(?:[a-z]+|\d{1,4}))+$/i;
/** Matches keys under `pii` whose values are redacted without keeping their shape. */
const secretKeyPattern = /password|code|token|card|cvc|pin/i;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/** Unpredictable random numbers from 0 (inclusive) to 1 (exclusive). */
export type RandomSource = () => number;

/**
 * Replaces personal data and secrets by random pseudonyms, which cannot be reversed; the same text
 * always gets the same pseudonym. `pseudonyms` holds earlier ones by a hash of their text, so it
 * must stay out of the trace. An e-mail address becomes one in a reserved domain (`.example`).
 */
export const createPseudonymizer = (random: RandomSource, pseudonyms: Map<string, string>): Redact => {
  const randomBelow = (count: number): number => Math.floor(random() * count);
  /**
   * Replaces a text by one of the same shape: alphabetic characters become other random ones from a
   * to z, digits other digits; separators stay, and all other characters become stars.
   */
  const toSameShape = (text: string): string =>
    text.replace(/[^\s.,'+:/_()-]/gu, (character) => {
      if (/\p{N}/u.test(character)) return String((Number(/\d/.exec(character)?.[0] ?? 0) + 1 + randomBelow(9)) % 10);
      if (!/[\p{L}\p{M}]/u.test(character)) return '*';
      const replacement = ALPHABET.charAt((ALPHABET.indexOf(character.toLowerCase()) + 1 + randomBelow(25)) % 26);
      return character === character.toLowerCase() ? replacement : replacement.toUpperCase();
    });
  const getPseudonym = (text: string, create: (text: string) => string): string => {
    const key = `${hashText(text).toString(36)}.${hashText(text, text.length + 1).toString(36)}`;
    const earlierPseudonym = pseudonyms.get(key);
    if (earlierPseudonym !== undefined) return earlierPseudonym;
    const pseudonym = create(text);
    pseudonyms.set(key, pseudonym);
    return pseudonym;
  };
  const replaceEmail = (_: string, precedingEscape = '', user: string, atSign: string, domain: string): string => {
    const createEmail = (address: string): string =>
      `${toSameShape(address.split('@')[0] ?? '')}@${toSameShape(domain.split('.')[0] ?? '')}.example`;
    return precedingEscape + getPseudonym(`${user}@${domain}`, createEmail).replace('@', atSign);
  };
  const replaceSecret = (match: string): string =>
    match.startsWith('%') || harmlessPattern.test(match) ? match : getPseudonym(match, toSameShape);
  const isEmail = (text: string): boolean => text.replace(emailPattern, '') === '' && text !== '';
  const personal = (value: Plain, key = ''): Plain => {
    if (typeof value === 'string' && secretKeyPattern.test(key)) return value === '' ? '' : 'secret';
    if (typeof value === 'string') {
      return isEmail(value) ? value.replace(emailPattern, replaceEmail) : getPseudonym(value, toSameShape);
    }
    if (typeof value === 'number') return Number(getPseudonym(String(value), toSameShape));
    if (Array.isArray(value)) return value.map((part) => personal(part, key));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, personal(part, name)]));
  };
  const text = (input: string): string => {
    const withoutEmails = /@|%(?:25)*40/.test(input) ? input.replace(emailPattern, replaceEmail) : input;
    return input.length < 32 ? withoutEmails : withoutEmails.replace(longTextPattern, replaceSecret);
  };
  return { personal, text };
};
