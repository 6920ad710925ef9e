import { randomInt } from 'node:crypto';

/** Digits and capital letters that cannot be mistaken for each other. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Characters of a generated code: 73 bits with an alphabet of 30 characters. */
const CODE_CHARS = 15;
const GROUP_CHARS = 5;

/** A new random code that cannot be guessed. */
export const generateCode = (): string => Array.from({ length: CODE_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/**
 * Normalises a code as typed: lower case, blanks and dashes, full-width characters of Chinese
 * keyboards.
 */
export const normalizeCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Dash_Punctuation}\p{Format}]/gu, '');

/** A code as it is displayed: generated codes in groups of five. */
export const formatCode = (code: string): string =>
  code.length === CODE_CHARS
    ? [0, 1, 2].map((group) => code.slice(group * GROUP_CHARS, (group + 1) * GROUP_CHARS)).join('-')
    : code;
