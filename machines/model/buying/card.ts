import * as v from 'valibot';
import type { Problem } from '../problem.ts';

/** A card stored at the payment gateway; `expiry` is MM/YY, or empty. */
export type Card = {
  id: string;
  isDefault: boolean;
  isExpired: boolean;
  pii: { brand: string; last4: string; expiry: string };
};

/** The customer's cards after one was added; `addedId` is null if the server names none. */
export type AddedCard = { cards: Card[]; addedId: string | null };

/** Whether a number has 12 to 19 digits and a valid Luhn check digit (ISO/IEC 7812-1). */
const isCardNumber = (digits: string): boolean =>
  /^\d{12,19}$/.test(digits) &&
  [...digits].toReversed().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return sum + (value > 9 ? value - 9 : value);
  }, 0) %
    10 ===
    0;

/** The form for card data, if the server has no gateway page for it. */
export const CardForm = v.object({
  cardNumber: v.pipe(
    v.string(),
    v.transform((text) => text.replaceAll(/[\s-]/g, '')),
    v.nonEmpty('required'),
    v.check(isCardNumber, 'cardNumber'),
  ),
  /** MM/YY */
  cardExpiry: v.pipe(
    v.string(),
    v.transform((text) =>
      text
        .replaceAll(/\s/g, '')
        .replace(/^(\d)\//, '0$1/')
        .replace(/\/20(\d\d)$/, '/$1'),
    ),
    v.nonEmpty('required'),
    v.regex(/^(?:0[1-9]|1[0-2])\/\d\d$/, 'cardExpiry'),
  ),
  cardCode: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.regex(/^\d{3,4}$/, 'cardCode')),
  cardName: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(200, 'tooLong')),
});
export type CardForm = v.InferOutput<typeof CardForm>;

/** Whether adding a card may be retried: it was not refused, or refused for a temporary reason. */
export const canStillAddCard = (problem: Problem | null): boolean =>
  problem?.kind !== 'refused' || ['payment_unavailable', 'too_many_requests'].includes(problem.code);
