import { toRegionalTag } from '../../machines/model/store/dates.ts';
import { withOrdinal } from '../../machines/model/store/ordinals.ts';

/** Formats a duration as `hh:mm:ss`, or `mm:ss` under an hour. */
export const formatDuration = (seconds: number): string => {
  const wholeSeconds = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(wholeSeconds / 3600), Math.floor(wholeSeconds / 60) % 60, wholeSeconds % 60];
  return (parts[0] === 0 ? parts.slice(1) : parts).map((part) => String(part).padStart(2, '0')).join(':');
};

/**
 * Formats an ISO 8601 day for the locale; a bare year and text that is not a date stay as they are.
 */
export const formatDay = (iso: string, locale: string): string => {
  const time = /^\d{4}-\d{2}/.test(iso) ? Date.parse(iso) : Number.NaN;
  if (Number.isNaN(time)) return iso;
  return withOrdinal(locale, new Intl.DateTimeFormat(toRegionalTag(locale), { dateStyle: 'long', timeZone: 'UTC' }).format(time));
};

/**
 * Formats an ISO 8601 date and time for the locale and the device's time zone; text that is not a
 * date stays as it is.
 */
export const formatDateTime = (iso: string, locale: string): string => {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return iso;
  const format = new Intl.DateTimeFormat(toRegionalTag(locale), { dateStyle: 'long', timeStyle: 'short' });
  return withOrdinal(locale, format.format(time));
};

const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

/** Formats how long ago something happened, in minutes, hours or days; 0 minutes are “now”. */
export const formatAgo = (minutes: number, locale: string): string => {
  const formatter = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (minutes === 0) return formatter.format(0, 'second');
  if (minutes < HOUR_MINUTES) return formatter.format(-minutes, 'minute');
  return minutes < DAY_MINUTES
    ? formatter.format(-Math.round(minutes / HOUR_MINUTES), 'hour')
    : formatter.format(-Math.round(minutes / DAY_MINUTES), 'day');
};

/** Formats a share, 0 to 1, as a percentage. */
export const formatPercent = (share: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share);

export const formatCount = (value: number, locale: string): string => new Intl.NumberFormat(locale).format(value);

/** The locale's name of a language, from its BCP 47 tag; an invalid tag stays as it is. */
export const getLanguageName = (tag: string, locale: string): string => {
  if (!/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag)) return tag;
  return new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag;
};
