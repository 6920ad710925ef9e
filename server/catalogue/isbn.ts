const sumWeighted = (digits: string, getWeight: (index: number) => number): number =>
  Array.from(digits).reduce((sum, digit, index) => sum + getWeight(index) * (digit === 'X' ? 10 : Number(digit)), 0);

const computeCheckDigit = (first12: string): number =>
  (10 - (sumWeighted(first12, (index) => (index % 2 === 0 ? 1 : 3)) % 10)) % 10;

/**
 * Normalises an ISBN of 10 or 13 digits, with optional hyphens and spaces, to 13 digits; undefined
 * when it or its check digit is invalid.
 */
export function toIsbn13(text: string): string | undefined {
  const digits = text.replaceAll(/[\s-]/g, '').toUpperCase();
  if (/^97[89]\d{10}$/.test(digits)) return computeCheckDigit(digits.slice(0, 12)) === Number(digits[12]) ? digits : undefined;
  if (!/^\d{9}[\dX]$/.test(digits) || sumWeighted(digits, (index) => 10 - index) % 11 !== 0) return undefined;
  const first12 = `978${digits.slice(0, 9)}`;
  return `${first12}${computeCheckDigit(first12)}`;
}
