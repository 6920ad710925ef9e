import type { GiftDays, GiftForm } from '../../../machines/model/buying/gift.ts';

const padTwo = (number: number): string => String(number).padStart(2, '0');

/** A day of this device's calendar, as YYYY-MM-DD. */
const toIsoDay = (date: Date): string => `${date.getFullYear()}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`;

/** The first and the last day on which a gift can be delivered: today, and one year later. */
export const getGiftDays = (now: Date): GiftDays => ({
  today: toIsoDay(now),
  lastDay: toIsoDay(new Date(now.getFullYear() + 1, now.getMonth(), now.getDate())),
});

/**
 * A gift in the form of the calls that pay for it. A gift for today has no date, so that it is
 * delivered right away.
 * @param giftId the gift's id, by which the server recognises a repeated call
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
