import type { Database } from '../database/open.ts';
import { type LanguageCode, textIn } from '../base/language.ts';
import { type Translator, translatorTo } from '../base/words.ts';
import { planChangeCause, renewalCause } from '../payment/ledger.ts';
import type { PaidFor } from '../payment/receipt.ts';
import {
  type AboutPayment,
  moneyIn,
  type PaymentEmail,
  type PaymentLetter,
  paymentLetter,
  totalPaid,
} from '../payment/receipt-letter.ts';
import { shopNow } from '../base/clock/time.ts';

/** What a letter about a renewal says; `until` is the end of access as it stands now, in any case. */
type Renewal = Pick<PaidFor, 'to' | 'currency' | 'lines'> & { amountMinor: number; at: Date; until: Date | null };

/** The letters that are written of a subscription that goes on. */
type AboutRenewals = 'renewal' | 'renewal-failed' | 'plan-changed';

type Said = { subject: string; thanks: string; total: string; until: (until: string) => string; link?: string };

const words: Record<AboutRenewals, (i18n: Translator, shop: string, amount: string) => Said> = {
  'plan-changed': (i18n, shop, amount) => ({
    subject: i18n.t('Your new subscription at {shop}', { shop }),
    thanks: i18n.t('You’ve changed your subscription at {shop}. What was left of the one before has been taken off the price.', {
      shop,
    }),
    total: totalPaid(i18n, amount),
    until: (until) =>
      i18n.t('It runs until {until}, and is then renewed at its full price. You can cancel it in your account at any time.', {
        until,
      }),
  }),
  renewal: (i18n, shop, amount) => ({
    subject: i18n.t('Your subscription at {shop} has been renewed', { shop }),
    thanks: i18n.t('Your subscription at {shop} has been renewed. Thank you for staying.', { shop }),
    total: totalPaid(i18n, amount),
    until: (until) =>
      i18n.t('It runs until {until}, and is then renewed again. You can cancel it in your account at any time.', { until }),
  }),
  'renewal-failed': (i18n, shop, amount) => ({
    subject: i18n.t('We couldn’t renew your subscription at {shop}', { shop }),
    thanks: i18n.t('We couldn’t charge your card for your subscription at {shop}.', { shop }),
    total: i18n.t('Amount due: {amount}', { amount }),
    until: (until) =>
      i18n.t(
        'You can go on reading until {until}. Until then the payment is tried again; another card in your account pays it at once.',
        { until },
      ),
    link: i18n.t('Give another card'),
  }),
};

/** What is written of a renewal; undefined where there is nobody to write to any more. */
async function renewalOf(
  db: Database,
  storeId: string,
  subscriptionId: string,
  { kind, number, language }: { kind: AboutRenewals; number: number; language: LanguageCode },
): Promise<Renewal | undefined> {
  const cause = kind === 'plan-changed' ? planChangeCause(subscriptionId, number) : renewalCause(subscriptionId, number);
  const held = await db
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
  if (!held || held.email === '') return undefined;
  const amountMinor = Number(held.amount);
  const lines = [{ name: textIn(held, 'name', { language }), amountMinor }];
  const { email: to, currency, booked_at: bookedAt, renews_at: until } = held;
  return { to, currency, lines, amountMinor, at: bookedAt ?? shopNow(), until };
}

/** Writes that a subscription was renewed, or could not be, or has another plan that was paid. */
function renewalLetter(renewal: Renewal, kind: AboutRenewals, about: AboutPayment): PaymentLetter {
  const { language, shop } = about;
  const amount = moneyIn(language, renewal.currency, renewal.amountMinor);
  const { until, ...said } = words[kind](translatorTo(language), shop, amount);
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  const more = renewal.until === null ? [] : [until(day.format(renewal.until))];
  return paymentLetter(renewal, about, { ...said, at: renewal.at, more });
}

const emailOf = (kind: AboutRenewals): PaymentEmail => ({
  kind,
  write: async ({ db }, queued) => {
    const { storeId, transactionId, language } = queued;
    const renewal = await renewalOf(db, storeId, transactionId, { kind, number: queued.renewal, language });
    return renewal && { to: renewal.to, path: '/account', letter: renewalLetter(renewal, kind, queued) };
  },
});

export const renewalEmail = emailOf('renewal');
export const renewalFailedEmail = emailOf('renewal-failed');
export const planChangedEmail = emailOf('plan-changed');
