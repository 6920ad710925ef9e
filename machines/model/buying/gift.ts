import * as v from 'valibot';
import { isEmail, longestEmail } from '../account/email.ts';
import { holdsLink } from '../store/links.ts';

/** Characters of a recipient's name and of a message, as the server counts them. */
const longestName = 80;
export const longestMessage = 500;

/** Strangers get these words in the shop's name: no link goes with them. */
const hasNoLink = v.check((text: string) => !holdsLink(text), 'link');

const recipient = {
  name: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(longestName, 'tooLong'), hasNoLink),
  email: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(longestEmail, 'tooLong'), v.check(isEmail, 'email')),
  message: v.pipe(v.string(), v.trim(), v.maxLength(longestMessage, 'tooLong'), hasNoLink),
};

/** The days on which a gift may go out, in the giver's calendar, as YYYY-MM-DD: today, and a year ahead. */
export type GiftDays = { today: string; lastDay: string };

/** Whom a gift is for. `day` is when it goes out, empty for as soon as it is paid. */
export const giftForm = ({ today, lastDay }: GiftDays) =>
  v.object({
    ...recipient,
    day: v.pipe(
      v.string(),
      v.check((day) => day === '' || (day >= today && day <= lastDay), 'day'),
    ),
  });

/** What was said of a gift, whatever day it is now. */
export const GiftForm = v.object({ ...recipient, day: v.string() });
export type GiftForm = v.InferOutput<typeof GiftForm>;

/** Where a gift is to go instead. */
export const GiftAddressForm = v.object({ email: recipient.email });
export type GiftAddressForm = v.InferOutput<typeof GiftAddressForm>;

/** What the letter of a gift says: paragraphs before its link and after it. */
export const GiftLetter = v.object({
  subject: v.string(),
  before: v.array(v.string()),
  link: v.string(),
  after: v.array(v.string()),
});
export type GiftLetter = v.InferOutput<typeof GiftLetter>;

/** `scheduled`: its day has not come; `sending`: the letter goes out, or is tried again; `failed`: it was given up. */
export const giftStatuses = ['scheduled', 'sending', 'sent', 'failed', 'redeemed', 'refunded'] as const;
export type GiftStatus = (typeof giftStatuses)[number];

/** Whether nothing can be done with a gift any more. */
export const isOver = ({ status }: { status: GiftStatus }): boolean => status === 'redeemed' || status === 'refunded';

/** A gift that the customer has given. Dates are ISO 8601; empty where there is none. */
export type GivenGift = {
  giftId: string;
  titleId: string;
  name: string;
  /** Where several were given together, all of them; the fields above are the first one's. */
  titles?: readonly { titleId: string; name: string }[];
  transId: string;
  givenAt: string;
  /** the day that the giver chose */
  deliverOn: string;
  sentAt: string;
  redeemedAt: string;
  status: GiftStatus;
  pii: { name: string; email: string };
};
