import { randomUUID } from 'node:crypto';
import { isEmail } from '../../machines/model/account/email.ts';
import { holdsLink } from '../../machines/model/store/links.ts';
import { DomainError } from '../kernel/errors.ts';
import { deliveryMoment, isDay, isTimeZone } from './delivery-day.ts';
import { shopNow } from '../base/clock/time.ts';

/** What a giver says of a gift. */
export type NewGift = {
  id: string;
  name: string;
  email: string;
  message: string;
  /** the day chosen, as YYYY-MM-DD, and the moment that it means; null: as soon as it is paid */
  deliverOn: string | null;
  dueAt: Date | null;
};

const LONGEST_NAME = 80;
const LONGEST_MESSAGE = 500;

const bad = (what: string): DomainError =>
  new DomainError('bad_request', `The gift’s details do not fit: ${what}.`, { code: 'gift_info' });

const badDay = (): DomainError =>
  new DomainError('conflict', 'A gift goes out between today and a year from now.', { code: 'gift_day' });

/** What a text holds that breaks no line, and draws no other text over it. */
const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (sign) => (sign === '\u200D' ? sign : ' ')).trim();

function textOf(info: Record<string, unknown>, field: string): string {
  const value = info[field] ?? '';
  if (typeof value !== 'string' || !value.isWellFormed()) throw bad(`${field} is no text`);
  return value;
}

function whenOf(info: Record<string, unknown>, now: Date): Pick<NewGift, 'deliverOn' | 'dueAt'> {
  const day = textOf(info, 'DeliverOn');
  if (day === '') return { deliverOn: null, dueAt: null };
  const zone = textOf(info, 'TimeZone') || 'UTC';
  if (!isDay(day)) throw bad('DeliverOn is no day');
  if (!isTimeZone(zone)) throw bad('TimeZone is none');
  const dueAt = deliveryMoment(day, zone, now);
  if (dueAt === undefined) throw badDay();
  return { deliverOn: day, dueAt };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Reads a gift's details.
 * @param info GiftInfo, as `openapi.yaml` has it
 * @throws DomainError bad_request gift_info, bad_request gift_link for a web or e-mail address in
 * name or message, or conflict gift_day for a day that has passed or is too far ahead
 */
export function readGift(info: unknown, now = shopNow()): NewGift {
  if (typeof info !== 'object' || info === null || Array.isArray(info)) throw bad('they are no object');
  const given = info as Record<string, unknown>;
  const name = plain(textOf(given, 'RecipientName'));
  const email = textOf(given, 'RecipientEmail').trim();
  // Lines may be broken here, and nothing else.
  const message = textOf(given, 'RecipientMessage')
    .split(/\r\n?|\n/)
    .map(plain)
    .join('\n')
    .trim();
  const id = textOf(given, 'GiftId') || randomUUID();
  if (name === '' || name.length > LONGEST_NAME) throw bad(`RecipientName has 1 to ${LONGEST_NAME} characters`);
  if (!isEmail(email)) throw bad('RecipientEmail is no email address');
  if (message.length > LONGEST_MESSAGE) throw bad(`RecipientMessage has at most ${LONGEST_MESSAGE} characters`);
  for (const [field, text] of Object.entries({ RecipientName: name, RecipientMessage: message }))
    if (holdsLink(text))
      throw new DomainError('bad_request', `${field} holds a web or e-mail address; a gift’s words may not.`, {
        code: 'gift_link',
      });
  if (!UUID.test(id)) throw bad('GiftId is no UUID');
  return { id: id.toLowerCase(), name, email, message, ...whenOf(given, now) };
}

/** The same, of the JSON text that calls with a query carry. @throws DomainError */
export function readGiftText(text: string, now = shopNow()): NewGift {
  let info: unknown;
  try {
    info = JSON.parse(text);
  } catch {
    throw bad('they are no JSON');
  }
  return readGift(info, now);
}
