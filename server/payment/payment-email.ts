import { createCurrencyFormat } from '../../machines/model/store/currency.ts';
import { regional } from '../../machines/model/store/dates.ts';
import { withOrdinal } from '../../machines/model/store/ordinals.ts';
import { formatOrderNumber } from '../../machines/model/buying/order-number.ts';
import { toMajor } from '../base/money.ts';
import type { LanguageCode } from '../base/language.ts';
import { type Translator, getTranslator } from '../base/words.ts';
import type { Database } from '../database/open.ts';
import type { AboutPayments } from '../database/schema/people.ts';
import type { PurchaseKinds } from './purchase-kind.ts';
import { type PaymentEmailData, readPaymentEmailData } from './receipt.ts';

/** The parts of an e-mail about a payment. */
export type PaymentEmailText = { subject: string; before: string[]; link: string; after: string[] };

export type PaymentEmailContext = { language: LanguageCode; shop: string; transactionId: string };

/** The texts of one kind of payment e-mail; `total` is the translated sentence with the sum. */
type PaymentEmailTexts = { subject: string; thanks: string; total: string; link?: string; at: Date; more: string[] };

export const formatMoney = (language: LanguageCode, currency: string, minor: number): string =>
  createCurrencyFormat(language, currency).format(toMajor(minor, currency));

/** A day as an e-mail of the language says it. */
export const dayIn = (language: LanguageCode, at: Date): string =>
  withOrdinal(language, new Intl.DateTimeFormat(regional(language), { dateStyle: 'long', timeZone: 'UTC' }).format(at));

export const formatTotalPaid = (i18n: Translator, amount: string): string => i18n.t('Amount paid: {amount}', { amount });

/**
 * Composes a payment e-mail: one line for each title and tax, the sum, the date and the order
 * number.
 */
export function formatPaymentEmail(
  { currency, lines, taxes = [] }: Pick<PaymentEmailData, 'currency' | 'lines'> & Partial<Pick<PaymentEmailData, 'taxes'>>,
  { language, transactionId }: PaymentEmailContext,
  { subject, thanks, total, link, at, more }: PaymentEmailTexts,
): PaymentEmailText {
  const i18n = getTranslator(language);
  const line = (title: string, minor: number): string =>
    i18n.t('{title}: {amount}', { title, amount: formatMoney(language, currency, minor) });
  const bought = lines.map(({ name, amountMinor }) => line(name, amountMinor));
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 3 });
  const taxed = taxes.map(({ name, milliPercent, amountMinor }) =>
    line(`${name} (${percent.format(milliPercent / 100_000)})`, amountMinor),
  );
  const facts = [
    total,
    i18n.t('Date: {day}', { day: dayIn(language, at) }),
    i18n.t('Order number: {number}', { number: formatOrderNumber(transactionId) }),
  ];
  return {
    subject,
    before: [thanks, [...bought, ...taxed].join('\n'), facts.join('\n'), ...more],
    link: link ?? i18n.t('See your purchase in the shop'),
    after: [i18n.t('If something is wrong with this purchase, reply to this email and give us the order number.')],
  };
}

/** Composes the receipt in the language of the purchase. */
function formatReceiptEmail(paid: PaymentEmailData, about: PaymentEmailContext): PaymentEmailText {
  const { language, shop } = about;
  const i18n = getTranslator(language);
  return formatPaymentEmail(paid, about, {
    subject: i18n.t('Your receipt from {shop}', { shop }),
    thanks: i18n.t('Thank you for your purchase at {shop}.', { shop }),
    total: formatTotalPaid(i18n, formatMoney(language, paid.currency, paid.amountMinor)),
    at: paid.paidAt,
    more: [],
  });
}

/** A queued payment e-mail. */
type QueuedReceipt = { storeId: string; language: LanguageCode; shop: string; transactionId: string; renewal: number };

/** A kind of payment e-mail, declared by its module; `jobs/payment-emails.ts` lists all. */
export type PaymentEmail = {
  /** its name in the queue */
  kind: AboutPayments;
  /** @returns undefined if the customer's account is deleted */
  write: (
    services: { db: Database; kinds: PurchaseKinds },
    queued: QueuedReceipt,
  ) => Promise<{ to: string; path: string; text: PaymentEmailText } | undefined>;
};

/** A kind of e-mail that lists the paid titles, or the plan. */
export const createPurchaseEmail = (kind: AboutPayments, text: typeof formatReceiptEmail): PaymentEmail => ({
  kind,
  write: async (services, queued) => {
    const paid = await readPaymentEmailData(services, queued.storeId, queued.transactionId, queued.language);
    return paid && { to: paid.to, path: paid.path, text: text(paid, queued) };
  },
});

export const receiptEmail = createPurchaseEmail('receipt', formatReceiptEmail);
