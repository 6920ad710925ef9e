import type { GiftDays, GiftForm } from '../../../machines/model/buying/gift.ts';

const padTwo = (number: number): string => String(number).padStart(2, '0');

/** A day of this device's calendar, as YYYY-MM-DD. */
const toIsoDay = (date: Date): string => `${date.getFullYear()}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`;

/** The days on which a gift can be delivered. */
export const getGiftDays = (now: Date): GiftDays => ({
  today: toIsoDay(now),
  lastDay: toIsoDay(new Date(now.getFullYear() + 1, now.getMonth(), now.getDate())),
});

/**
 * A gift in the wire's form. A gift for today is sent at once. @param giftId deduplicates: however
 * often it is sent, it is one gift
 */
export const toGiftInfo = (form: GiftForm, now: Date, giftId?: string) => ({
  RecipientName: form.name,
  RecipientEmail: form.email,
  RecipientMessage: form.message,
  ...(giftId === undefined ? {} : { GiftId: giftId }),
  ...(form.day === '' || form.day === getGiftDays(now).today
    ? {}
    : { DeliverOn: form.day, TimeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
});
