/** The hour of the giver's day at which gifts go out that are not for today. */
const HOUR = 9;
const MINUTE_MS = 60_000;

const readDay = (day: string): [year: number, month: number, date: number] | undefined => {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  return year === undefined ? undefined : [Number(year), Number(month), Number(date)];
};

/** Whether a text is a day of the calendar, as YYYY-MM-DD. */
export function isDay(day: string): boolean {
  const [year = 0, month = 0, date = 0] = readDay(day) ?? [];
  const moment = new Date(Date.UTC(year, month - 1, date));
  return year > 0 && moment.getUTCFullYear() === year && moment.getUTCMonth() === month - 1 && moment.getUTCDate() === date;
}

/** Whether this is the name of a time zone, such as Europe/Paris. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** What clocks in a zone show at a moment, as if it were UTC, in milliseconds. */
function shownIn(zone: string, moment: Date): number {
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
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'));
}

/** The day that it is in a zone, as YYYY-MM-DD. */
const dayIn = (zone: string, moment: Date): string => new Date(shownIn(zone, moment)).toISOString().slice(0, 10);

const aYearAfter = (day: string): string => {
  const [year = 0, month = 1, date = 1] = readDay(day) ?? [];
  return new Date(Date.UTC(year + 1, month - 1, date)).toISOString().slice(0, 10);
};

/**
 * When a gift for a day goes out: at nine in the morning in the giver's zone, or at once where that is past today.
 * @returns undefined for a day that is over there, or more than a year ahead
 */
export function deliveryMoment(day: string, zone: string, now: Date): Date | undefined {
  const today = dayIn(zone, now);
  if (day < today || day > aYearAfter(today)) return undefined;
  const [year = 0, month = 1, date = 1] = readDay(day) ?? [];
  const wanted = Date.UTC(year, month - 1, date, HOUR);
  let moment = wanted;
  // The second time with the offset of that very morning.
  for (let round = 0; round < 2; round += 1) moment += wanted - shownIn(zone, new Date(moment));
  const whole = Math.round(moment / MINUTE_MS) * MINUTE_MS;
  return new Date(Math.max(whole, now.getTime()));
}
