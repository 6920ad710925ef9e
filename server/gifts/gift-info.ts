import { randomUUID } from 'node:crypto';
import { isEmail } from '../../machines/model/account/email.ts';
import { containsLink } from '../../machines/model/store/links.ts';
import { DomainError } from '../kernel/errors.ts';
import { findDeliveryMoment, isDay, isTimeZone } from './delivery-day.ts';
import { shopNow } from '../base/clock/time.ts';

/** The details of a gift that its giver enters. */
export type NewGift = {
  id: string;
  name: string;
  email: string;
  message: string;
  /** the chosen day, as YYYY-MM-DD, and the moment it means; null: immediately after the payment */
  deliverOn: string | null;
  dueAt: Date | null;
};

const MAX_NAME_CHARS = 80;
const MAX_MESSAGE_CHARS = 500;

const invalidGiftField = (what: string): DomainError =>
  new DomainError('bad_request', `Invalid gift details: ${what}.`, { code: 'gift_info' });

const invalidGiftDay = (): DomainError =>
  new DomainError('conflict', 'A gift goes out between today and a year from now.', { code: 'gift_day' });

/**
 * Replaces control and format characters (line breaks, text direction), except for joiners in
 * emoji.
 */
const toPlainLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (sign) => (sign === '\u200D' ? sign : ' ')).trim();

function readText(info: Record<string, unknown>, field: string): string {
  const value = info[field] ?? '';
  if (typeof value !== 'string' || !value.isWellFormed()) throw invalidGiftField(`${field} is not a string`);
  return value;
}

function readDelivery(info: Record<string, unknown>, now: Date): Pick<NewGift, 'deliverOn' | 'dueAt'> {
  const day = readText(info, 'DeliverOn');
  if (day === '') return { deliverOn: null, dueAt: null };
  const zone = readText(info, 'TimeZone') || 'UTC';
  if (!isDay(day)) throw invalidGiftField(`DeliverOn is not a date: ${day}`);
  if (!isTimeZone(zone)) throw invalidGiftField(`TimeZone is invalid: ${zone}`);
  const dueAt = findDeliveryMoment(day, zone, now);
  if (dueAt === undefined) throw invalidGiftDay();
  return { deliverOn: day, dueAt };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Reads a gift's details.
 * @param info GiftInfo of `openapi.yaml`
 * @throws DomainError bad_request gift_info, bad_request gift_link for a web or e-mail address in
 * name or message, or conflict gift_day for a day that has passed or is too far ahead
 */
export function readGift(info: unknown, now = shopNow()): NewGift {
  if (typeof info !== 'object' || info === null || Array.isArray(info)) throw invalidGiftField('they must be an object');
  const given = info as Record<string, unknown>;
  const name = toPlainLine(readText(given, 'RecipientName'));
  const email = readText(given, 'RecipientEmail').trim();
  // Line breaks are allowed here, but no other control characters.
  const message = readText(given, 'RecipientMessage')
    .split(/\r\n?|\n/)
    .map(toPlainLine)
    .join('\n')
    .trim();
  const id = readText(given, 'GiftId') || randomUUID();
  if (name === '' || name.length > MAX_NAME_CHARS)
    throw invalidGiftField(`RecipientName must have 1 to ${MAX_NAME_CHARS} characters`);
  if (!isEmail(email)) throw invalidGiftField('RecipientEmail is not an e-mail address');
  if (message.length > MAX_MESSAGE_CHARS)
    throw invalidGiftField(`RecipientMessage must have at most ${MAX_MESSAGE_CHARS} characters`);
  for (const [field, text] of Object.entries({ RecipientName: name, RecipientMessage: message }))
    if (containsLink(text))
      throw new DomainError('bad_request', `${field} contains a web or e-mail address, which gifts may not.`, {
        code: 'gift_link',
      });
  if (!UUID.test(id)) throw invalidGiftField('GiftId is not a UUID');
  return { id: id.toLowerCase(), name, email, message, ...readDelivery(given, now) };
}

/** Reads a gift's details from the JSON text of a query parameter. @throws DomainError */
export function readGiftText(text: string, now = shopNow()): NewGift {
  let info: unknown;
  try {
    info = JSON.parse(text);
  } catch {
    throw invalidGiftField('they are not JSON');
  }
  return readGift(info, now);
}
