/** .NET serialises its first day for a missing date; the time of day may be anything. */
const dotNetMinDate = /^0001-01-01/;

const formatIso = (time: number): string => (Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : '');

/**
 * A date as ISO 8601, from common server formats: ISO with a space or without dashes, seconds or
 * milliseconds since 1970, `/Date(ms)/`, and month names. Other text stays as it is, since 3/4 is
 * ambiguous; without a zone, UTC is assumed.
 */
export const toIsoDate = (text = ''): string => {
  const trimmed = text.trim();
  if (dotNetMinDate.test(trimmed)) return '';
  const milliseconds = /^\/?Date\((-?\d+)/.exec(trimmed)?.[1] ?? /^-?\d{12,14}$/.exec(trimmed)?.[0];
  if (milliseconds !== undefined) return formatIso(Number(milliseconds));
  if (/^\d{9,10}$/.test(trimmed)) return formatIso(Number(trimmed) * 1000);
  const dateParts = /^(\d{4})(\d\d)(\d\d)$/.exec(trimmed);
  if (dateParts) return dateParts.slice(1).join('-');
  if (/^\d{4}-\d\d/.test(trimmed)) return trimmed.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T');
  if (!/[a-z]{3}/i.test(trimmed)) return trimmed;
  const inUtc = Date.parse(`${trimmed} UTC`);
  const time = Number.isNaN(inUtc) ? Date.parse(trimmed) : inUtc;
  return Number.isNaN(time) ? trimmed : formatIso(time);
};
