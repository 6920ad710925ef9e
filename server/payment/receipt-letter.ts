import { currencyFormat } from '../../machines/model/currency.ts';
import { shortNumber } from '../../machines/model/order-number.ts';
import { toMajor } from '../base/money.ts';
import type { LanguageCode } from '../base/language.ts';
import type { Database } from '../database/open.ts';
import type { AboutPayments } from '../database/schema/people.ts';
import type { PurchaseKinds } from './purchase-kind.ts';
import { type PaidFor, paidFor } from './receipt.ts';

/** `{shop}`, `{title}`, `{amount}`, `{day}` and `{number}` are put in; `line` is one title of several. */
type Words = {
  subject: string;
  thanks: string;
  line: string;
  total: string;
  day: string;
  number: string;
  link: string;
  help: string;
};

const words: Record<LanguageCode, Words> = {
  en: {
    subject: 'Your receipt from {shop}',
    thanks: 'Thank you for your purchase at {shop}.',
    line: '{title}: {amount}',
    total: 'Amount paid: {amount}',
    day: 'Date: {day}',
    number: 'Order number: {number}',
    link: 'See it in the shop',
    help: 'If something is wrong with this purchase, reply to this email and give us the order number.',
  },
  zh: {
    subject: '您在{shop}的收据',
    thanks: '感谢您在{shop}购买。',
    line: '{title}：{amount}',
    total: '实付金额：{amount}',
    day: '日期：{day}',
    number: '订单号：{number}',
    link: '在商店中查看',
    help: '如果这笔订单有任何问题，请回复此邮件并注明订单号。',
  },
  es: {
    subject: 'Tu recibo de {shop}',
    thanks: 'Gracias por tu compra en {shop}.',
    line: '{title}: {amount}',
    total: 'Importe pagado: {amount}',
    day: 'Fecha: {day}',
    number: 'Número de pedido: {number}',
    link: 'Verlo en la tienda',
    help: 'Si hay algún problema con esta compra, responde a este correo e indícanos el número de pedido.',
  },
  fr: {
    subject: 'Votre reçu de {shop}',
    thanks: 'Merci pour votre achat chez {shop}.',
    line: '{title}\u202F: {amount}',
    total: 'Montant payé\u202F: {amount}',
    day: 'Date\u202F: {day}',
    number: 'Numéro de commande\u202F: {number}',
    link: 'Le voir dans la boutique',
    help: 'Si quelque chose ne va pas avec cet achat, répondez à cet e-mail en indiquant le numéro de commande.',
  },
  it: {
    subject: 'La tua ricevuta da {shop}',
    thanks: 'Grazie per il tuo acquisto da {shop}.',
    line: '{title}: {amount}',
    total: 'Importo pagato: {amount}',
    day: 'Data: {day}',
    number: 'Numero d’ordine: {number}',
    link: 'Vedi nel negozio',
    help: 'Se c’è un problema con questo acquisto, rispondi a questa e-mail indicando il numero d’ordine.',
  },
};

/** What a letter about a payment says. */
export type PaymentLetter = { subject: string; before: string[]; link: string; after: string[] };

export type AboutPayment = { language: LanguageCode; shop: string; transactionId: string };

/** Puts what is known into a letter's words. In one go: what is put in is not read again. */
const filled = (text: string, known: Record<string, string>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, field: string) => known[field] ?? whole);

/**
 * Writes a letter about a payment: each of its titles and taxes on a line, what it comes to, when, and the number to ask by.
 * @param says of which `total` may have `{amount}` and `{paid}`
 */
export function paymentLetter(
  { currency, lines, taxes = [] }: Pick<PaidFor, 'currency' | 'lines'> & Partial<Pick<PaidFor, 'taxes'>>,
  { language, shop, transactionId }: AboutPayment,
  says: Pick<Words, 'subject' | 'thanks' | 'total'> & {
    link?: string;
    at: Date;
    amountMinor: number;
    paidMinor: number;
    more: string[];
  },
): PaymentLetter {
  const common = words[language];
  const money = (minor: number): string => currencyFormat(language, currency).format(toMajor(minor, currency));
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(says.at);
  const bought = lines.map((line) => filled(common.line, { title: line.name, amount: money(line.amountMinor) }));
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 3 });
  const taxed = taxes.map(({ name, milliPercent, amountMinor }) =>
    filled(common.line, { title: `${name} (${percent.format(milliPercent / 100_000)})`, amount: money(amountMinor) }),
  );
  const facts = [
    filled(says.total, { amount: money(says.amountMinor), paid: money(says.paidMinor) }),
    filled(common.day, { day }),
    filled(common.number, { number: shortNumber(transactionId) }),
  ];
  return {
    subject: filled(says.subject, { shop }),
    before: [filled(says.thanks, { shop }), [...bought, ...taxed].join('\n'), facts.join('\n'), ...says.more],
    link: says.link ?? common.link,
    after: [common.help],
  };
}

/** Writes the receipt in the language in which it was paid. */
const receiptLetter = (paid: PaidFor, about: AboutPayment): PaymentLetter =>
  paymentLetter(paid, about, {
    ...words[about.language],
    at: paid.paidAt,
    amountMinor: paid.amountMinor,
    paidMinor: paid.amountMinor,
    more: [],
  });

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
