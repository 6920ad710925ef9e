import type { IntentRequest, Terms } from '../port.ts';
import { getFirstLanguage, type LanguageCode } from '../../base/language.ts';

/** The notes that the store attaches to an order or a subscription at Razorpay. */
export type OrderNotes = {
  reference: string;
  returnUrl: string;
  description: string;
  shopName: string;
  language: LanguageCode;
  /** payment method that the customer chose in the shop; empty: chosen on Razorpay's page */
  method: string;
  /** trial days of a subscription */
  trialDays: number;
  isCancelled: boolean;
};

/** Maximum characters of a note; Razorpay allows 15 notes on an object. */
const MAX_NOTE_CHARS = 256;

const splitNote = (name: string, text: string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: Math.ceil(text.length / MAX_NOTE_CHARS) }, (_, index) => [
      `${name}_${index + 1}`,
      text.slice(index * MAX_NOTE_CHARS, (index + 1) * MAX_NOTE_CHARS),
    ]),
  );

export const toNotes = (request: IntentRequest, terms?: Terms): Record<string, string> => ({
  reference: request.reference,
  ...splitNote('return_url', request.returnUrl),
  description: request.description.slice(0, MAX_NOTE_CHARS),
  shop_name: request.shopName.slice(0, MAX_NOTE_CHARS),
  language: getFirstLanguage(request.language) ?? 'en',
  ...(request.method === undefined ? {} : { method: request.method }),
  trial_days: String(terms?.trialDays ?? 0),
});

/** Reads the notes of an object; undefined if the store has not created it. */
export function readNotes(notes: object | null | undefined): OrderNotes | undefined {
  const getNote = (name: string): string => String(Reflect.get(notes ?? {}, name) ?? '');
  const reference = getNote('reference');
  if (reference === '') return undefined;
  return {
    reference,
    returnUrl: Array.from({ length: 8 }, (_, index) => getNote(`return_url_${index + 1}`)).join(''),
    description: getNote('description'),
    shopName: getNote('shop_name'),
    language: getFirstLanguage(getNote('language')) ?? 'en',
    method: getNote('method'),
    trialDays: Number(getNote('trial_days')),
    isCancelled: getNote('cancelled') !== '',
  };
}
