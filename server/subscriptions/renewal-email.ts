import type { Database } from '../database/open.ts';
import { type LanguageCode, localizeText } from '../base/language.ts';
import { type Translator, getTranslator } from '../base/words.ts';
import { toPlanChangeCause, toRenewalCause } from '../payment/ledger.ts';
import type { PaymentEmailData } from '../payment/receipt.ts';
import {
  type PaymentEmailContext,
  formatEmailDate,
  formatMoney,
  type PaymentEmail,
  type PaymentEmailText,
  formatPaymentEmail,
  formatTotalPaid,
} from '../payment/payment-email.ts';
import { shopNow } from '../base/clock/time.ts';

/**
 * The data of an e-mail about an active subscription; `until` is the current end of access, null if
 * it has none, for every kind of e-mail.
 */
type RenewalEmailData = Pick<PaymentEmailData, 'to' | 'currency' | 'lines'> & {
  amountMinor: number;
  at: Date;
  until: Date | null;
};

/** The kinds of e-mails about an active subscription. */
type RenewalEmailKind = 'renewal' | 'renewal-failed' | 'plan-changed';

type RenewalEmailTexts = { subject: string; thanks: string; total: string; formatEnd: (until: string) => string; link?: string };

const renewalTexts: Record<RenewalEmailKind, (i18n: Translator, shop: string, amount: string) => RenewalEmailTexts> = {
  'plan-changed': (i18n, shop, amount) => ({
    subject: i18n.t('Your new subscription at {shop}', { shop }),
    thanks: i18n.t(
      'You’ve changed your subscription at {shop}. The unused part of the previous one has been deducted from the price.',
      { shop },
    ),
    total: formatTotalPaid(i18n, amount),
    formatEnd: (until) =>
      i18n.t('It runs until {until}, and is then renewed at its full price. You can cancel it in your account at any time.', {
        until,
      }),
  }),
  renewal: (i18n, shop, amount) => ({
    subject: i18n.t('Your subscription at {shop} has been renewed', { shop }),
    thanks: i18n.t('Your subscription at {shop} has been renewed. Thank you for staying.', { shop }),
    total: formatTotalPaid(i18n, amount),
    formatEnd: (until) =>
      i18n.t('It runs until {until}, and is then renewed again. You can cancel it in your account at any time.', { until }),
  }),
  'renewal-failed': (i18n, shop, amount) => ({
    subject: i18n.t('We couldn’t renew your subscription at {shop}', { shop }),
    thanks: i18n.t('We couldn’t charge your card for your subscription at {shop}.', { shop }),
    total: i18n.t('Amount due: {amount}', { amount }),
    formatEnd: (until) =>
      i18n.t('You can go on reading until {until}. We’ll keep trying until then. Add another card in your account to pay now.', {
        until,
      }),
    link: i18n.t('Use another card'),
  }),
};

/**
 * Reads the data of an e-mail about a renewal or plan change with this number; undefined if the
 * customer has no e-mail address any more.
 */
async function readRenewal(
  db: Database,
  storeId: string,
  subscriptionId: string,
  { kind, number, language }: { kind: RenewalEmailKind; number: number; language: LanguageCode },
): Promise<RenewalEmailData | undefined> {
  const cause = kind === 'plan-changed' ? toPlanChangeCause(subscriptionId, number) : toRenewalCause(subscriptionId, number);
  const row = await db
    .selectFrom('subscriptions')
    .innerJoin('users', (join) =>
      join.onRef('users.store_id', '=', 'subscriptions.store_id').onRef('users.id', '=', 'subscriptions.user_id'),
    )
    .innerJoin('plans', (join) =>
      join.onRef('plans.store_id', '=', 'subscriptions.store_id').onRef('plans.id', '=', 'subscriptions.plan_id'),
    )
    .leftJoin('ledger', (join) =>
      join
        .onRef('ledger.store_id', '=', 'subscriptions.store_id')
        .on('ledger.cause', '=', cause)
        .on('ledger.account', '=', 'gateway'),
    )
    .select(['users.email', 'plans.name', 'plans.translations', 'ledger.booked_at', 'subscriptions.renews_at'])
    .select((eb) => [
      eb.fn.coalesce('ledger.amount', 'subscriptions.amount_minor', 'plans.amount_minor').as('amount'),
      eb.fn.coalesce('ledger.currency', 'subscriptions.currency', 'plans.currency').as('currency'),
    ])
    .where('subscriptions.store_id', '=', storeId)
    .where('subscriptions.id', '=', subscriptionId)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row || row.email === '') return undefined;
  const amountMinor = Number(row.amount);
  const lines = [{ name: localizeText(row, 'name', { language }), amountMinor }];
  const { email: to, currency, booked_at: bookedAt, renews_at: until } = row;
  return { to, currency, lines, amountMinor, at: bookedAt ?? shopNow(), until };
}

/** Composes the e-mail about a renewal, a failed renewal or a paid plan change. */
function formatRenewalEmail(renewal: RenewalEmailData, kind: RenewalEmailKind, context: PaymentEmailContext): PaymentEmailText {
  const { language, shop } = context;
  const amount = formatMoney(language, renewal.currency, renewal.amountMinor);
  const { formatEnd, ...texts } = renewalTexts[kind](getTranslator(language), shop, amount);
  const extraParagraphs = renewal.until === null ? [] : [formatEnd(formatEmailDate(language, renewal.until))];
  return formatPaymentEmail(renewal, context, { ...texts, at: renewal.at, extraParagraphs });
}

const createRenewalEmail = (kind: RenewalEmailKind): PaymentEmail => ({
  kind,
  compose: async ({ db }, queued) => {
    const { storeId, transactionId, language } = queued;
    const renewal = await readRenewal(db, storeId, transactionId, { kind, number: queued.renewal, language });
    return renewal && { to: renewal.to, path: '/account', text: formatRenewalEmail(renewal, kind, queued) };
  },
});

export const renewalEmail = createRenewalEmail('renewal');
export const renewalFailedEmail = createRenewalEmail('renewal-failed');
export const planChangedEmail = createRenewalEmail('plan-changed');
