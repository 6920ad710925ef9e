/** .NET serialises its first day for a missing date; the time of day may be anything. */
const dotNetMinDate = /^0001-01-01/;

const formatIso = (time: number): string => (Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : '');

/**
 * A date as ISO 8601, from common server formats: ISO with a space or without dashes, seconds or
 * milliseconds since 1970, `/Date(ms)/`, and month names, for which UTC is assumed without a zone.
 * Other text stays as it is, since 3/4 is ambiguous. Empty for the first day of .NET.
 */
export const toIsoDate = (text = ''): string => {
  const trimmedText = text.trim();
  if (dotNetMinDate.test(trimmedText)) return '';
  const milliseconds = /^\/?Date\((-?\d+)/.exec(trimmedText)?.[1] ?? /^-?\d{12,14}$/.exec(trimmedText)?.[0];
  if (milliseconds !== undefined) return formatIso(Number(milliseconds));
  if (/^\d{9,10}$/.test(trimmedText)) return formatIso(Number(trimmedText) * 1000);
  const dateParts = /^(\d{4})(\d\d)(\d\d)$/.exec(trimmedText);
  if (dateParts) return dateParts.slice(1).join('-');
  if (/^\d{4}-\d\d/.test(trimmedText)) return trimmedText.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T');
  if (!/[a-z]{3}/i.test(trimmedText)) return trimmedText;
  const inUtc = Date.parse(`${trimmedText} UTC`);
  const time = Number.isNaN(inUtc) ? Date.parse(trimmedText) : inUtc;
  return Number.isNaN(time) ? trimmedText : formatIso(time);
};
