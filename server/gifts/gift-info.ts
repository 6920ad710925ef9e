import { randomUUID } from 'node:crypto';
import { isEmail } from '../../machines/model/account/email.ts';
import { containsLink } from '../../machines/model/store/links.ts';
import { DomainError } from '../kernel/errors.ts';
import { findDeliveryMoment, isDay, isTimeZone } from './delivery-day.ts';
import { shopNow } from '../base/clock/time.ts';

/** The details of a gift, as its giver has entered them. */
export type NewGift = {
  id: string;
  name: string;
  email: string;
  message: string;
  /** the chosen day, as YYYY-MM-DD; null: immediately after the payment */
  deliverOn: string | null;
  /** the time of delivery on that day; null without a day */
  dueAt: Date | null;
};

const MAX_NAME_CHARS = 80;
const MAX_MESSAGE_CHARS = 500;

const invalidGiftFieldError = (reason: string): DomainError =>
  new DomainError('bad_request', `Invalid gift details: ${reason}.`, { code: 'gift_info' });

const invalidGiftDayError = (): DomainError =>
  new DomainError('conflict', 'The gift’s day must be between today and a year from now.', { code: 'gift_day' });

/**
 * Replaces control and format characters (line breaks, text direction), except for joiners in
 * emoji, by spaces, and trims the text.
 */
const toPlainLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\u200D' ? character : ' ')).trim();

function readText(info: Record<string, unknown>, field: string): string {
  const value = info[field] ?? '';
  if (typeof value !== 'string' || !value.isWellFormed()) throw invalidGiftFieldError(`${field} is not a string`);
  return value;
}

function readDelivery(info: Record<string, unknown>, now: Date): Pick<NewGift, 'deliverOn' | 'dueAt'> {
  const day = readText(info, 'DeliverOn');
  if (day === '') return { deliverOn: null, dueAt: null };
  const zone = readText(info, 'TimeZone') || 'UTC';
  if (!isDay(day)) throw invalidGiftFieldError(`DeliverOn is not a valid date (YYYY-MM-DD): ${day}`);
  if (!isTimeZone(zone)) throw invalidGiftFieldError(`TimeZone is not a known time zone: ${zone}`);
  const dueAt = findDeliveryMoment(day, zone, now);
  if (dueAt === undefined) throw invalidGiftDayError();
  return { deliverOn: day, dueAt };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Validates a gift's details.
 * @param info GiftInfo of `openapi.yaml`
 * @throws DomainError bad_request gift_info, bad_request gift_link for a web or e-mail address in
 * name or message, or conflict gift_day for a day that has passed or is too far ahead
 */
export function readGift(info: unknown, now = shopNow()): NewGift {
  if (typeof info !== 'object' || info === null || Array.isArray(info)) throw invalidGiftFieldError('they must be an object');
  const fields = info as Record<string, unknown>;
  const name = toPlainLine(readText(fields, 'RecipientName'));
  const email = readText(fields, 'RecipientEmail').trim();
  // Line breaks are allowed here, but no other control characters.
  const message = readText(fields, 'RecipientMessage')
    .split(/\r\n?|\n/)
    .map(toPlainLine)
    .join('\n')
    .trim();
  const id = readText(fields, 'GiftId') || randomUUID();
  if (name === '' || name.length > MAX_NAME_CHARS)
    throw invalidGiftFieldError(`RecipientName has ${name.length} characters, expected 1 to ${MAX_NAME_CHARS}`);
  if (!isEmail(email)) throw invalidGiftFieldError('RecipientEmail is not an e-mail address');
  if (message.length > MAX_MESSAGE_CHARS)
    throw invalidGiftFieldError(`RecipientMessage has ${message.length} characters, expected at most ${MAX_MESSAGE_CHARS}`);
  for (const [field, text] of Object.entries({ RecipientName: name, RecipientMessage: message }))
    if (containsLink(text))
      throw new DomainError('bad_request', `${field} contains a web or e-mail address, which gifts may not.`, {
        code: 'gift_link',
      });
  if (!UUID.test(id)) throw invalidGiftFieldError(`GiftId ${id} is not a UUID`);
  return { id: id.toLowerCase(), name, email, message, ...readDelivery(fields, now) };
}

/**
 * Like `readGift`, from the JSON text of a query parameter.
 * @throws the errors of `readGift`; DomainError bad_request gift_info for invalid JSON
 */
export function readGiftText(text: string, now = shopNow()): NewGift {
  let info: unknown;
  try {
    info = JSON.parse(text);
  } catch {
    throw invalidGiftFieldError('they are not JSON');
  }
  return readGift(info, now);
}
