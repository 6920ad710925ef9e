/** Minutes are not known of a day, and .NET writes its first day for none. */
const none = /^0001-01-01/;

const isoOf = (time: number): string => (Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : '');

/**
 * A date as ISO 8601, from the forms in which servers write one: ISO with a space or without dashes, seconds or milliseconds
 * since 1970, `/Date(ms)/`, and with the month as a word. Text of another form stays as it is, for nobody can tell whether
 * 3/4 is in March; what lacks a zone is taken as UTC.
 */
export const isoDate = (text = ''): string => {
  const plain = text.trim();
  if (none.test(plain)) return '';
  const ticks = /^\/?Date\((-?\d+)/.exec(plain)?.[1] ?? /^-?\d{12,14}$/.exec(plain)?.[0];
  if (ticks !== undefined) return isoOf(Number(ticks));
  if (/^\d{9,10}$/.test(plain)) return isoOf(Number(plain) * 1000);
  const days = /^(\d{4})(\d\d)(\d\d)$/.exec(plain);
  if (days) return days.slice(1).join('-');
  if (/^\d{4}-\d\d/.test(plain)) return plain.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T');
  if (!/[a-z]{3}/i.test(plain)) return plain;
  const inUtc = Date.parse(`${plain} UTC`);
  const time = Number.isNaN(inUtc) ? Date.parse(plain) : inUtc;
  return Number.isNaN(time) ? plain : isoOf(time);
};
