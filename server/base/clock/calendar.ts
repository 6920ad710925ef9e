/**
 * The same day and time some months later, in UTC; the last day of the month where that month is
 * shorter.
 * @param from milliseconds since 1970, like the result
 */
export function addMonths(from: number, months: number): number {
  const later = new Date(from);
  const day = later.getUTCDate();
  later.setUTCDate(1);
  later.setUTCMonth(later.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate();
  later.setUTCDate(Math.min(day, lastDay));
  return later.getTime();
}
