import { randomBytes } from 'node:crypto';

export type CardDetails = { number: string; expiry: string; cvc: string; name: string };

/**
 * The data of a saved card that the store gets; `replaces` are the customer's older tokens of the
 * same card.
 */
export type SavedCard = {
  token: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  replaces: string[];
};

/** A problem of the card form (an invalid field or an expired card), and the key of its text. */
export type CardProblem = 'number' | 'expiry' | 'expired' | 'cvc' | 'name';

/** A webhook delivery other than once and immediately: late, twice, or out of order. */
export type Delivery = 'late' | 'twice' | 'disordered';

type Approval = { kind: 'approved'; losesAnswer: boolean; delivery?: Delivery };
type Outcome = Approval | { kind: 'challenge' } | { kind: 'refused'; reason: string };

/** The test numbers; every other valid number is declined, so that no real card works here. */
export const TEST_CARDS = [
  { number: '4242 4242 4242 4242', messageKey: 'cardSuccess', outcome: { kind: 'approved', losesAnswer: false } },
  { number: '4000 0027 6000 3184', messageKey: 'cardChallenge', outcome: { kind: 'challenge' } },
  { number: '4000 0000 0000 0002', messageKey: 'cardDeclined', outcome: { kind: 'refused', reason: 'card_declined' } },
  { number: '4000 0000 0000 9995', messageKey: 'cardFunds', outcome: { kind: 'refused', reason: 'insufficient_funds' } },
  { number: '4000 0000 0000 0069', messageKey: 'cardExpired', outcome: { kind: 'refused', reason: 'expired_card' } },
  { number: '4000 0000 0000 0119', messageKey: 'cardLost', outcome: { kind: 'approved', losesAnswer: true } },
  { number: '4000 0000 0000 0341', messageKey: 'cardOnce', outcome: { kind: 'approved', losesAnswer: false } },
  { number: '4000 0000 0000 0358', messageKey: 'cardRetried', outcome: { kind: 'approved', losesAnswer: false } },
  { number: '4000 0000 0000 5019', messageKey: 'cardLate', outcome: { kind: 'approved', losesAnswer: false, delivery: 'late' } },
  {
    number: '4000 0000 0000 5027',
    messageKey: 'cardTwice',
    outcome: { kind: 'approved', losesAnswer: false, delivery: 'twice' },
  },
  {
    number: '4000 0000 0000 5035',
    messageKey: 'cardDisordered',
    outcome: { kind: 'approved', losesAnswer: false, delivery: 'disordered' },
  },
] as const satisfies { number: string; messageKey: string; outcome: Outcome }[];

/**
 * The name of a test card; the gateway stores it instead of the number, which it never stores. Null
 * if a payment has no card, and for any other number, which is declined.
 */
export type TestCard = (typeof TEST_CARDS)[number]['messageKey'] | null;

/**
 * A card that pays when it is entered, but is declined when it pays as a saved card or renews a
 * subscription.
 */
const PAYS_ONCE: TestCard = 'cardOnce';

/** A card that pays a renewal at the second attempt, and everything else at the first. */
const PAYS_SECOND_ATTEMPT: TestCard = 'cardRetried';

/** Whether a card pays without being entered: as a saved card, or for a renewal. */
export const paysWhenSaved = (card: TestCard): boolean => card !== PAYS_ONCE;

/** Whether a card pays a renewal after this number of declines. */
export const paysRenewal = (card: TestCard, refusals: number): boolean =>
  getOutcome(card).kind !== 'refused' && paysWhenSaved(card) && !(card === PAYS_SECOND_ATTEMPT && refusals === 0);

/** Declined cards after which a payment fails. */
export const MAX_REFUSALS = 5;

const toDigits = (text: string) => text.replaceAll(/[\s-]/g, '');

/** @param number as the customer entered it */
export const findTestCard = (number: string): TestCard =>
  TEST_CARDS.find((card) => toDigits(card.number) === toDigits(number))?.messageKey ?? null;

export const getOutcome = (card: TestCard): Outcome =>
  TEST_CARDS.find(({ messageKey }) => messageKey === card)?.outcome ?? {
    kind: 'refused',
    reason: 'card_declined',
  };

/** Whether a card number has 12 to 19 digits and a valid check digit (ISO/IEC 7812, Luhn). */
export function passesLuhn(number: string): boolean {
  const digits = toDigits(number);
  if (!/^\d{12,19}$/.test(digits)) return false;
  const sum = Array.from(digits)
    .toReversed()
    .map((digit, index) => (index % 2 === 0 ? Number(digit) : Number(digit) * 2 - (Number(digit) > 4 ? 9 : 0)))
    .reduce((total, value) => total + value, 0);
  return sum % 10 === 0;
}

/** Parses "12 / 30", "12/2030" or "1230"; undefined if invalid. */
export function parseExpiry(text: string): { month: number; year: number } | undefined {
  const match = /^\s*(\d{1,2})\s*[/-]\s*(\d{2}|\d{4})\s*$/.exec(text) ?? /^\s*(\d{2})(\d{2})\s*$/.exec(text);
  if (!match) return undefined;
  const [month, year] = [Number(match[1]), Number(match[2])];
  if (month < 1 || month > 12) return undefined;
  return { month, year: year < 100 ? 2000 + year : year };
}

/**
 * The first problem of each field, in the order of the form. A card is valid until the end of its
 * month.
 */
export function validateCard(details: CardDetails, now: Date): CardProblem[] {
  const problems: CardProblem[] = [];
  if (!passesLuhn(details.number)) problems.push('number');
  const expiry = parseExpiry(details.expiry);
  if (!expiry) problems.push('expiry');
  else if (new Date(Date.UTC(expiry.year, expiry.month, 1)) <= now) problems.push('expired');
  if (!/^\d{3,4}$/.test(details.cvc.trim())) problems.push('cvc');
  if (details.name.trim() === '') problems.push('name');
  return problems;
}

/** The data of a card that is saved. @param details without problems */
export function toSavedCard(details: CardDetails): SavedCard {
  const number = toDigits(details.number);
  const expiry = parseExpiry(details.expiry) ?? { month: 1, year: 2000 };
  return {
    token: `card_${randomBytes(16).toString('hex')}`,
    brand: number.startsWith('4') ? 'Visa' : 'Card',
    last4: number.slice(-4),
    expMonth: expiry.month,
    expYear: expiry.year,
    replaces: [],
  };
}
