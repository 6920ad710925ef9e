import { regional } from '../../machines/model/store/dates.ts';
import { withOrdinal } from '../../machines/model/store/ordinals.ts';

/** `hh:mm:ss`, or `mm:ss` under an hour. */
export const formatDuration = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return (parts[0] === 0 ? parts.slice(1) : parts).map((part) => String(part).padStart(2, '0')).join(':');
};

/**
 * Formats an ISO 8601 day for the locale; a bare year and text that is not a date stay as they are.
 */
export const formatDay = (iso: string, locale: string): string => {
  const time = /^\d{4}-\d{2}/.test(iso) ? Date.parse(iso) : Number.NaN;
  if (Number.isNaN(time)) return iso;
  return withOrdinal(locale, new Intl.DateTimeFormat(regional(locale), { dateStyle: 'long', timeZone: 'UTC' }).format(time));
};

/**
 * Formats an ISO 8601 date and time for the locale and the device's time zone; text that is not a
 * date stays as it is.
 */
export const formatDateTime = (iso: string, locale: string): string => {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return iso;
  const format = new Intl.DateTimeFormat(regional(locale), { dateStyle: 'long', timeStyle: 'short' });
  return withOrdinal(locale, format.format(time));
};

const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

/** How long ago something happened, in minutes, hours or days; “now” within a minute. */
export const formatAgo = (minutes: number, locale: string): string => {
  const write = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (minutes === 0) return write.format(0, 'second');
  if (minutes < HOUR_MINUTES) return write.format(-minutes, 'minute');
  return minutes < DAY_MINUTES
    ? write.format(-Math.round(minutes / HOUR_MINUTES), 'hour')
    : write.format(-Math.round(minutes / DAY_MINUTES), 'day');
};

export const formatPercent = (part: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(part);

export const formatCount = (value: number, locale: string): string => new Intl.NumberFormat(locale).format(value);

/** The locale's name of a language, from its BCP 47 tag; an invalid tag stays as it is. */
export const languageName = (tag: string, locale: string): string => {
  if (!/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag)) return tag;
  return new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag;
};
