/** Hour, in the giver's time zone, at which gifts are sent on their delivery day. */
const DELIVERY_HOUR = 9;
const MINUTE_MS = 60_000;

const parseDay = (day: string): [year: number, month: number, date: number] | undefined => {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  return year === undefined ? undefined : [Number(year), Number(month), Number(date)];
};

/** Whether a text is a valid date, as YYYY-MM-DD. */
export function isDay(day: string): boolean {
  const [year = 0, month = 0, date = 0] = parseDay(day) ?? [];
  const moment = new Date(Date.UTC(year, month - 1, date));
  return year > 0 && moment.getUTCFullYear() === year && moment.getUTCMonth() === month - 1 && moment.getUTCDate() === date;
}

/** Whether a text is a time zone's name, such as Europe/Paris. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Returns a zone's local time at a moment, as if it were UTC, in ms since 1970. */
function toZoneTime(zone: string, moment: Date): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(moment);
  const getPart = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(getPart('year'), getPart('month') - 1, getPart('day'), getPart('hour'), getPart('minute'));
}

/** Returns the local date in a zone, as YYYY-MM-DD. */
const toZoneDay = (zone: string, moment: Date): string => new Date(toZoneTime(zone, moment)).toISOString().slice(0, 10);

const addYear = (day: string): string => {
  const [year = 0, month = 1, date = 1] = parseDay(day) ?? [];
  return new Date(Date.UTC(year + 1, month - 1, date)).toISOString().slice(0, 10);
};

/**
 * Returns the time at which a gift is sent: 9:00 of its day in the giver's zone, or now if that
 * time has passed today.
 * @returns undefined for a day in the past, or more than a year ahead
 */
export function findDeliveryMoment(day: string, zone: string, now: Date): Date | undefined {
  const today = toZoneDay(zone, now);
  if (day < today || day > addYear(today)) return undefined;
  const [year = 0, month = 1, date = 1] = parseDay(day) ?? [];
  const targetTime = Date.UTC(year, month - 1, date, DELIVERY_HOUR);
  let time = targetTime;
  // The second round corrects for a change of the zone's offset (daylight saving time).
  for (let round = 0; round < 2; round += 1) time += targetTime - toZoneTime(zone, new Date(time));
  const roundedTime = Math.round(time / MINUTE_MS) * MINUTE_MS;
  return new Date(Math.max(roundedTime, now.getTime()));
}
