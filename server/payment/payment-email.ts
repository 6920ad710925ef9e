import { createCurrencyFormat } from '../../machines/model/store/currency.ts';
import { toRegionalTag } from '../../machines/model/store/dates.ts';
import { withOrdinal } from '../../machines/model/store/ordinals.ts';
import { formatOrderNumber } from '../../machines/model/buying/order-number.ts';
import { toMajor } from '../base/money.ts';
import type { LanguageCode } from '../base/language.ts';
import { type Translator, getTranslator } from '../base/words.ts';
import type { Database } from '../database/open.ts';
import type { PaymentEmailKind } from '../database/schema/people.ts';
import type { PurchaseKinds } from './purchase-kind.ts';
import { type PaymentEmailData, readPaymentEmailData } from './receipt.ts';

/** The texts of an e-mail about a payment: paragraphs before and after its link. */
export type PaymentEmailText = { subject: string; before: string[]; link: string; after: string[] };

export type PaymentEmailContext = { language: LanguageCode; shop: string; transactionId: string };

/**
 * The parts of one kind of payment e-mail: `total` is the translated sentence with the sum, `at`
 * the date that the e-mail shows.
 */
type PaymentEmailParts = { subject: string; thanks: string; total: string; link?: string; at: Date; extraParagraphs: string[] };

export const formatMoney = (language: LanguageCode, currency: string, minor: number): string =>
  createCurrencyFormat(language, currency).format(toMajor(minor, currency));

/** Formats a date (UTC) for e-mails in a language. */
export const formatEmailDate = (language: LanguageCode, at: Date): string =>
  withOrdinal(language, new Intl.DateTimeFormat(toRegionalTag(language), { dateStyle: 'long', timeZone: 'UTC' }).format(at));

export const formatTotalPaid = (i18n: Translator, amount: string): string => i18n.t('Amount paid: {amount}', { amount });

/**
 * Composes a payment e-mail: one line for each title and tax, the sum, the date and the order
 * number.
 */
export function formatPaymentEmail(
  { currency, lines, taxes = [] }: Pick<PaymentEmailData, 'currency' | 'lines'> & Partial<Pick<PaymentEmailData, 'taxes'>>,
  { language, transactionId }: PaymentEmailContext,
  { subject, thanks, total, link, at, extraParagraphs }: PaymentEmailParts,
): PaymentEmailText {
  const i18n = getTranslator(language);
  const formatLine = (title: string, minor: number): string =>
    i18n.t('{title}: {amount}', { title, amount: formatMoney(language, currency, minor) });
  const titleLines = lines.map(({ name, amountMinor }) => formatLine(name, amountMinor));
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 3 });
  const taxLines = taxes.map(({ name, milliPercent, amountMinor }) =>
    formatLine(`${name} (${percent.format(milliPercent / 100_000)})`, amountMinor),
  );
  const detailLines = [
    total,
    i18n.t('Date: {day}', { day: formatEmailDate(language, at) }),
    i18n.t('Order number: {number}', { number: formatOrderNumber(transactionId) }),
  ];
  return {
    subject,
    before: [thanks, [...titleLines, ...taxLines].join('\n'), detailLines.join('\n'), ...extraParagraphs],
    link: link ?? i18n.t('See your purchase in the shop'),
    after: [i18n.t('If something is wrong with this purchase, reply to this email and give us the order number.')],
  };
}

/** Composes the receipt in the language of the purchase. */
function formatReceiptEmail(data: PaymentEmailData, context: PaymentEmailContext): PaymentEmailText {
  const { language, shop } = context;
  const i18n = getTranslator(language);
  return formatPaymentEmail(data, context, {
    subject: i18n.t('Your receipt from {shop}', { shop }),
    thanks: i18n.t('Thank you for your purchase at {shop}.', { shop }),
    total: formatTotalPaid(i18n, formatMoney(language, data.currency, data.amountMinor)),
    at: data.paidAt,
    extraParagraphs: [],
  });
}

/**
 * A queued payment e-mail; `renewal` is the number of the subscription's renewal, plan change or
 * refund, else 0.
 */
type QueuedPaymentEmail = { storeId: string; language: LanguageCode; shop: string; transactionId: string; renewal: number };

/** A kind of payment e-mail, declared by its module; `jobs/payment-emails.ts` lists all kinds. */
export type PaymentEmail = {
  /** the kind's name in the queue */
  kind: PaymentEmailKind;
  /** @returns undefined if the customer has no e-mail address any more */
  compose: (
    services: { db: Database; kinds: PurchaseKinds },
    queued: QueuedPaymentEmail,
  ) => Promise<{ to: string; path: string; text: PaymentEmailText } | undefined>;
};

/** Creates a kind of e-mail that lists the paid titles, or the plan. */
export const createPurchaseEmail = (kind: PaymentEmailKind, formatText: typeof formatReceiptEmail): PaymentEmail => ({
  kind,
  compose: async (services, queued) => {
    const data = await readPaymentEmailData(services, queued.storeId, queued.transactionId, queued.language);
    return data && { to: data.to, path: data.path, text: formatText(data, queued) };
  },
});

export const receiptEmail = createPurchaseEmail('receipt', formatReceiptEmail);
