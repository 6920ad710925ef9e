import * as v from 'valibot';
import { isEmail, MAX_EMAIL_CHARS } from '../account/email.ts';
import { containsLink } from '../store/links.ts';

/** Maximum characters of a recipient's name, counted as on the server. */
const MAX_NAME_CHARS = 80;
/** Maximum characters of a gift's message, counted as on the server. */
export const MAX_MESSAGE_CHARS = 500;

/**
 * Rejects texts with links, against spam: the gift's e-mail goes to strangers in the shop's name.
 */
const checkNoLink = v.check((text: string) => !containsLink(text), 'link');

const recipient = {
  name: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(MAX_NAME_CHARS, 'tooLong'), checkNoLink),
  email: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(MAX_EMAIL_CHARS, 'tooLong'), v.check(isEmail, 'email')),
  message: v.pipe(v.string(), v.trim(), v.maxLength(MAX_MESSAGE_CHARS, 'tooLong'), checkNoLink),
};

/**
 * The days on which a gift can be sent, in the giver's time zone, as YYYY-MM-DD: from today to one
 * year ahead.
 */
export type GiftDays = { today: string; lastDay: string };

/**
 * The form for a gift's recipient. `day` is the day to send it, empty for as soon as it is paid.
 */
export const createGiftForm = ({ today, lastDay }: GiftDays) =>
  v.object({
    ...recipient,
    day: v.pipe(
      v.string(),
      v.check((day) => day === '' || (day >= today && day <= lastDay), 'day'),
    ),
  });

/** A stored gift's form, without a check of its day, which may have passed since. */
export const GiftForm = v.object({ ...recipient, day: v.string() });
export type GiftForm = v.InferOutput<typeof GiftForm>;

/** The form for another address to send the gift's e-mail to. */
export const GiftAddressForm = v.object({ email: recipient.email });
export type GiftAddressForm = v.InferOutput<typeof GiftAddressForm>;

/** The text of a gift's e-mail: paragraphs before its link and after it. */
export const GiftPreview = v.object({
  subject: v.string(),
  before: v.array(v.string()),
  link: v.string(),
  after: v.array(v.string()),
});
export type GiftPreview = v.InferOutput<typeof GiftPreview>;

/**
 * The statuses of a gift. `scheduled`: its day is in the future; `sending`: the e-mail is queued or
 * being retried; `failed`: all retries failed.
 */
export const giftStatuses = ['scheduled', 'sending', 'sent', 'failed', 'redeemed', 'refunded'] as const;
export type GiftStatus = (typeof giftStatuses)[number];

/** Whether the gift is final: it can no longer be sent or changed. */
export const isGiftOver = ({ status }: { status: GiftStatus }): boolean => status === 'redeemed' || status === 'refunded';

/** A gift that the customer has given. Dates are ISO 8601, or empty. */
export type GivenGift = {
  giftId: string;
  titleId: string;
  name: string;
  /** All titles, if several were given together; `titleId` and `name` are the first one's. */
  titles?: readonly { titleId: string; name: string }[];
  transId: string;
  givenAt: string;
  /** The day that the giver chose. */
  deliverOn: string;
  sentAt: string;
  redeemedAt: string;
  status: GiftStatus;
  pii: { name: string; email: string };
};
