/** ISBNs, as customers type them. */

const weightedSum = (digits: string, weightOf: (place: number) => number): number =>
  [...digits].reduce((sum, digit, place) => sum + weightOf(place) * (digit === 'X' ? 10 : Number(digit)), 0);

const checkDigit13 = (twelve: string): number => (10 - (weightedSum(twelve, (place) => (place % 2 === 0 ? 1 : 3)) % 10)) % 10;

/**
 * An ISBN of 10 or 13 digits, with dashes and spaces allowed, as 13 digits; null if it is invalid
 * or its check digit is wrong.
 */
export const toIsbn13 = (text: string): string | null => {
  const digits = text.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase();
  const isOld = /^\d{9}[\dX]$/.test(digits) && weightedSum(digits, (place) => 10 - place) % 11 === 0;
  const twelve = isOld ? `978${digits.slice(0, 9)}` : digits.slice(0, 12);
  const whole = isOld ? `${twelve}${checkDigit13(twelve)}` : digits;
  return /^97[89]\d{10}$/.test(whole) && checkDigit13(twelve) === Number(whole[12]) ? whole : null;
};
