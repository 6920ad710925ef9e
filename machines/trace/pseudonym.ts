import type { Plain } from './format.ts';
import { hashOf, type Redact } from './plain.ts';

/** Also as it stands in a query. */
const email = /[^\s@/?&=<>,;:"'()[\]%]+(@|%40)([\p{L}\d-]+\.)+\p{L}{2,}/giu;
/** What is long and of no language may be an access token or a signature. */
const long = /[\w-]{32,}(?:\.[\w-]{16,})*/g;
/** Identifiers (UUIDs) are none, nor are the names of titles in addresses: words between hyphens. */
const harmless = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$|^[^\dA-Z]+$|^[^A-Z]*-[^A-Z]*$/;

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Another text of the same shape: letters for letters, digits for digits, the rest as it is. */
const shaped = (text: string, seed: number): string => {
  let state = hashOf(text, seed);
  const below = (count: number): number => {
    state = (Math.imul(state | 0, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % count;
  };
  const other = text
    .replace(/\p{N}/gu, () => String(below(10)))
    .replace(/\p{L}/gu, (letter) => {
      const drawn = letters.charAt(below(26));
      return letter === letter.toLowerCase() ? drawn : drawn.toUpperCase();
    });
  // A short text may be drawn again as it was.
  return other === text && /[\p{N}\p{L}]/u.test(text) ? shaped(text, seed + 1) : other;
};

/**
 * Pseudonyms for personal data and secrets: the same for the same text under one `seed`, which must stay secret and out of
 * the trace. An e-mail address stays one, of a domain that nobody can have.
 */
export const pseudonyms = (seed: number): Redact => {
  const emailFor = (address: string): string => {
    const [user = '', at = '@', domain = ''] = address.split(/(@|%40)/);
    return `${shaped(user, seed)}${at}${shaped(domain.split('.')[0] ?? '', seed)}.example`;
  };
  const secretFor = (found: string): string => (harmless.test(found) ? found : shaped(found, seed));
  const isEmail = (text: string): boolean => text.replace(email, '') === '' && text !== '';
  const personal = (value: Plain): Plain => {
    if (typeof value === 'string') return isEmail(value) ? emailFor(value) : shaped(value, seed);
    if (typeof value === 'number') return Number(shaped(String(value), seed));
    if (Array.isArray(value)) return value.map(personal);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, personal(part)]));
  };
  const text = (written: string): string => {
    const withoutEmails = /@|%40/.test(written) ? written.replace(email, emailFor) : written;
    return written.length < 32 ? withoutEmails : withoutEmails.replace(long, secretFor);
  };
  return { personal, text };
};
