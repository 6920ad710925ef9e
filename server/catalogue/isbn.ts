const sumWeighted = (digits: string, weightOf: (index: number) => number): number =>
  Array.from(digits).reduce((sum, digit, index) => sum + weightOf(index) * (digit === 'X' ? 10 : Number(digit)), 0);

const checkDigit13 = (twelve: string): number => (10 - (sumWeighted(twelve, (index) => (index % 2 === 0 ? 1 : 3)) % 10)) % 10;

/**
 * Normalises an ISBN of 10 or 13 digits, with optional hyphens and spaces, to 13 digits; undefined
 * when it or its check digit is invalid.
 */
export function toIsbn13(text: string): string | undefined {
  const digits = text.replaceAll(/[\s-]/g, '').toUpperCase();
  if (/^97[89]\d{10}$/.test(digits)) return checkDigit13(digits.slice(0, 12)) === Number(digits[12]) ? digits : undefined;
  if (!/^\d{9}[\dX]$/.test(digits) || sumWeighted(digits, (index) => 10 - index) % 11 !== 0) return undefined;
  const twelve = `978${digits.slice(0, 9)}`;
  return `${twelve}${checkDigit13(twelve)}`;
}
