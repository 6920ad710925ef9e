import type { IntentRequest, Terms } from '../port.ts';
import { firstLanguage, type LanguageCode } from '../../base/language.ts';

/** What the store writes down with an order or a subscription at Razorpay, to find its way back. */
export type Noted = {
  reference: string;
  returnUrl: string;
  description: string;
  shopName: string;
  language: LanguageCode;
  /** how it is paid, chosen beforehand; empty leaves it to the page */
  method: string;
  /** days before the first payment, of a subscription */
  trialDays: number;
  isCancelled: boolean;
};

/** Characters of a note, of which there may be fifteen. */
const LENGTH = 256;

const inPieces = (name: string, text: string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: Math.ceil(text.length / LENGTH) }, (_, at) => [
      `${name}_${at + 1}`,
      text.slice(at * LENGTH, (at + 1) * LENGTH),
    ]),
  );

export const notesOf = (request: IntentRequest, terms?: Terms): Record<string, string> => ({
  reference: request.reference,
  ...inPieces('return_url', request.returnUrl),
  description: request.description.slice(0, LENGTH),
  shop_name: request.shopName.slice(0, LENGTH),
  language: firstLanguage(request.language) ?? 'en',
  ...(request.method === undefined ? {} : { method: request.method }),
  trial_days: String(terms?.trialDays ?? 0),
});

/** @returns undefined for what is not the store's */
export function readNotes(notes: object | null | undefined): Noted | undefined {
  const text = (name: string): string => String(Reflect.get(notes ?? {}, name) ?? '');
  const reference = text('reference');
  if (reference === '') return undefined;
  return {
    reference,
    returnUrl: Array.from({ length: 8 }, (_, at) => text(`return_url_${at + 1}`)).join(''),
    description: text('description'),
    shopName: text('shop_name'),
    language: firstLanguage(text('language')) ?? 'en',
    method: text('method'),
    trialDays: Number(text('trial_days')),
    isCancelled: text('cancelled') !== '',
  };
}
