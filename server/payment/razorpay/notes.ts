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

/** Maximum characters of a note; Razorpay allows 15 notes. */
const MAX_NOTE_CHARS = 256;

const splitNote = (name: string, text: string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: Math.ceil(text.length / MAX_NOTE_CHARS) }, (_, at) => [
      `${name}_${at + 1}`,
      text.slice(at * MAX_NOTE_CHARS, (at + 1) * MAX_NOTE_CHARS),
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

/** @returns undefined for an object that the store has not created */
export function readNotes(notes: object | null | undefined): OrderNotes | undefined {
  const text = (name: string): string => String(Reflect.get(notes ?? {}, name) ?? '');
  const reference = text('reference');
  if (reference === '') return undefined;
  return {
    reference,
    returnUrl: Array.from({ length: 8 }, (_, at) => text(`return_url_${at + 1}`)).join(''),
    description: text('description'),
    shopName: text('shop_name'),
    language: getFirstLanguage(text('language')) ?? 'en',
    method: text('method'),
    trialDays: Number(text('trial_days')),
    isCancelled: text('cancelled') !== '',
  };
}
