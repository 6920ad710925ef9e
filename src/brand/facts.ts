/** `hh:mm:ss`, or `mm:ss` under an hour. */
export const duration = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return (parts[0] === 0 ? parts.slice(1) : parts).map((part) => String(part).padStart(2, '0')).join(':');
};

/** A day as the locale writes it, from ISO 8601; a bare year and text that is no date stay as they are. */
export const day = (iso: string, locale: string): string => {
  const time = /^\d{4}-\d{2}/.test(iso) ? Date.parse(iso) : Number.NaN;
  if (Number.isNaN(time)) return iso;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(time);
};

/** A day and its time as the locale and this device write them, from ISO 8601; text that is no date stays as it is. */
export const moment = (iso: string, locale: string): string => {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return iso;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(time);
};

const HOUR = 60;
const DAY = 24 * HOUR;

/** How long ago something was, in minutes, hours or days; “now” within a minute. */
export const ago = (minutes: number, locale: string): string => {
  const write = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (minutes === 0) return write.format(0, 'second');
  if (minutes < HOUR) return write.format(-minutes, 'minute');
  return minutes < DAY ? write.format(-Math.round(minutes / HOUR), 'hour') : write.format(-Math.round(minutes / DAY), 'day');
};

export const percent = (part: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(part);

export const count = (value: number, locale: string): string => new Intl.NumberFormat(locale).format(value);

/** The locale's word for a language given as a BCP 47 tag; a tag that is none stays as it is. */
export const languageName = (tag: string, locale: string): string => {
  if (!/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag)) return tag;
  return new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag;
};
