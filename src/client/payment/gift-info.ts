import type { GiftDays, GiftForm } from '../../../machines/model/buying/gift.ts';

const two = (number: number): string => String(number).padStart(2, '0');

/** A day of this device's calendar, as YYYY-MM-DD. */
const dayOf = (date: Date): string => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** The days on which a gift may go out. */
export const giftDays = (now: Date): GiftDays => ({
  today: dayOf(now),
  lastDay: dayOf(new Date(now.getFullYear() + 1, now.getMonth(), now.getDate())),
});

/** A gift as calls carry it. One for today goes out at once. @param giftId however often it is sent, it is one gift */
export const giftInfoOf = (form: GiftForm, now: Date, giftId?: string) => ({
  RecipientName: form.name,
  RecipientEmail: form.email,
  RecipientMessage: form.message,
  ...(giftId === undefined ? {} : { GiftId: giftId }),
  ...(form.day === '' || form.day === giftDays(now).today
    ? {}
    : { DeliverOn: form.day, TimeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
});
