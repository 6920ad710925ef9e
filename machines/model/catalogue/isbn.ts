/** Parses ISBNs as customers type them. */

const sumWeighted = (digits: string, getWeight: (index: number) => number): number =>
  [...digits].reduce((sum, digit, index) => sum + getWeight(index) * (digit === 'X' ? 10 : Number(digit)), 0);

const computeCheckDigit13 = (firstTwelve: string): number =>
  (10 - (sumWeighted(firstTwelve, (index) => (index % 2 === 0 ? 1 : 3)) % 10)) % 10;

/**
 * An ISBN of 10 or 13 digits, with dashes and spaces allowed, as 13 digits; null if it is invalid
 * or its check digit is wrong.
 */
export const toIsbn13 = (text: string): string | null => {
  const digits = text.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase();
  const isIsbn10 = /^\d{9}[\dX]$/.test(digits) && sumWeighted(digits, (index) => 10 - index) % 11 === 0;
  const firstTwelve = isIsbn10 ? `978${digits.slice(0, 9)}` : digits.slice(0, 12);
  const isbn13 = isIsbn10 ? `${firstTwelve}${computeCheckDigit13(firstTwelve)}` : digits;
  return /^97[89]\d{10}$/.test(isbn13) && computeCheckDigit13(firstTwelve) === Number(isbn13[12]) ? isbn13 : null;
};
