import { randomInt } from 'node:crypto';

/** Figures and capitals that nobody takes for one another. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
/** With thirty letters to choose from these are 73 bits. */
const LENGTH = 15;
const GROUP = 5;

/** A code that nobody guesses. */
export const newCode = (): string => Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** A code as it is kept, however it was typed: in small letters, with blanks and dashes, or by a Chinese keyboard. */
export const plainCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s\p{Dash_Punctuation}\p{Format}]/gu, '');

/** A code as it is read out and typed: those that were made here in groups of five. */
export const writtenCode = (code: string): string =>
  code.length === LENGTH ? [0, 1, 2].map((group) => code.slice(group * GROUP, (group + 1) * GROUP)).join('-') : code;
