import { currencyFormat } from '../../machines/model/store/currency.ts';
import { shortNumber } from '../../machines/model/buying/order-number.ts';
import { toMajor } from '../base/money.ts';
import type { LanguageCode } from '../base/language.ts';
import { type Translator, translatorTo } from '../base/words.ts';
import type { Database } from '../database/open.ts';
import type { AboutPayments } from '../database/schema/people.ts';
import type { PurchaseKinds } from './purchase-kind.ts';
import { type PaidFor, paidFor } from './receipt.ts';

/** What a letter about a payment says. */
export type PaymentLetter = { subject: string; before: string[]; link: string; after: string[] };

export type AboutPayment = { language: LanguageCode; shop: string; transactionId: string };

/** The texts of one kind of e-mail about payments; `total` is the sum in words. */
type Said = { subject: string; thanks: string; total: string; link?: string; at: Date; more: string[] };

export const moneyIn = (language: LanguageCode, currency: string, minor: number): string =>
  currencyFormat(language, currency).format(toMajor(minor, currency));

export const totalPaid = (i18n: Translator, amount: string): string => i18n.t('Amount paid: {amount}', { amount });

/**
 * Writes an e-mail about a payment: each of its titles and taxes on a line, the sum, the day, and
 * the number to ask by.
 */
export function paymentLetter(
  { currency, lines, taxes = [] }: Pick<PaidFor, 'currency' | 'lines'> & Partial<Pick<PaidFor, 'taxes'>>,
  { language, transactionId }: AboutPayment,
  { subject, thanks, total, link, at, more }: Said,
): PaymentLetter {
  const i18n = translatorTo(language);
  const line = (title: string, minor: number): string =>
    i18n.t('{title}: {amount}', { title, amount: moneyIn(language, currency, minor) });
  const bought = lines.map(({ name, amountMinor }) => line(name, amountMinor));
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 3 });
  const taxed = taxes.map(({ name, milliPercent, amountMinor }) =>
    line(`${name} (${percent.format(milliPercent / 100_000)})`, amountMinor),
  );
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at);
  const facts = [total, i18n.t('Date: {day}', { day }), i18n.t('Order number: {number}', { number: shortNumber(transactionId) })];
  return {
    subject,
    before: [thanks, [...bought, ...taxed].join('\n'), facts.join('\n'), ...more],
    link: link ?? i18n.t('See it in the shop'),
    after: [i18n.t('If something is wrong with this purchase, reply to this email and give us the order number.')],
  };
}

/** Writes the receipt in the language in which it was paid. */
function receiptLetter(paid: PaidFor, about: AboutPayment): PaymentLetter {
  const { language, shop } = about;
  const i18n = translatorTo(language);
  return paymentLetter(paid, about, {
    subject: i18n.t('Your receipt from {shop}', { shop }),
    thanks: i18n.t('Thank you for your purchase at {shop}.', { shop }),
    total: totalPaid(i18n, moneyIn(language, paid.currency, paid.amountMinor)),
    at: paid.paidAt,
    more: [],
  });
}

/** An e-mail about a payment in the queue. */
type Queued = { storeId: string; language: LanguageCode; shop: string; transactionId: string; renewal: number };

/** An e-mail about payments, as its module declares it; `jobs/payment-emails.ts` lists all. */
export type PaymentEmail = {
  /** its name in the queue */
  kind: AboutPayments;
  /** @returns undefined where its customer is gone */
  write: (
    services: { db: Database; kinds: PurchaseKinds },
    queued: Queued,
  ) => Promise<{ to: string; path: string; letter: PaymentLetter } | undefined>;
};

/** An e-mail with the titles, or the plan, that were paid for. */
export const emailOfPurchase = (kind: AboutPayments, text: typeof receiptLetter): PaymentEmail => ({
  kind,
  write: async (services, queued) => {
    const paid = await paidFor(services, queued.storeId, queued.transactionId, queued.language);
    return paid && { to: paid.to, path: paid.path, letter: text(paid, queued) };
  },
});

export const receiptEmail = emailOfPurchase('receipt', receiptLetter);
