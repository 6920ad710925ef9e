/** .NET serialises its first day for a missing date; the time of day may be anything. */
const dotNetMinDate = /^0001-01-01/;

const formatIso = (time: number): string => (Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : '');

/**
 * A date as ISO 8601, from common server formats: ISO with a space or without dashes, seconds or
 * milliseconds since 1970, `/Date(ms)/`, and month names. Other text stays as it is, since 3/4 is
 * ambiguous; without a zone, UTC is assumed.
 */
export const toIsoDate = (text = ''): string => {
  const plain = text.trim();
  if (dotNetMinDate.test(plain)) return '';
  const ticks = /^\/?Date\((-?\d+)/.exec(plain)?.[1] ?? /^-?\d{12,14}$/.exec(plain)?.[0];
  if (ticks !== undefined) return formatIso(Number(ticks));
  if (/^\d{9,10}$/.test(plain)) return formatIso(Number(plain) * 1000);
  const days = /^(\d{4})(\d\d)(\d\d)$/.exec(plain);
  if (days) return days.slice(1).join('-');
  if (/^\d{4}-\d\d/.test(plain)) return plain.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T');
  if (!/[a-z]{3}/i.test(plain)) return plain;
  const inUtc = Date.parse(`${plain} UTC`);
  const time = Number.isNaN(inUtc) ? Date.parse(plain) : inUtc;
  return Number.isNaN(time) ? plain : formatIso(time);
};
