import type { Database } from '../database/open.ts';
import { type LanguageCode, textIn } from '../base/language.ts';
import { planChangeCause, renewalCause } from '../payment/ledger.ts';
import type { PaidFor } from '../payment/receipt.ts';
import { type AboutPayment, type PaymentEmail, type PaymentLetter, paymentLetter } from '../payment/receipt-letter.ts';
import { shopNow } from '../base/clock/time.ts';

/** What a letter about a renewal says; `until` is the end of access as it stands now, in any case. */
type Renewal = Pick<PaidFor, 'to' | 'currency' | 'lines'> & { amountMinor: number; at: Date; until: Date | null };

/** The letters that are written of a subscription that goes on. */
type AboutRenewals = 'renewal' | 'renewal-failed' | 'plan-changed';

type Words = { subject: string; thanks: string; total: string; until: string; link?: string };

/** `{shop}`, `{amount}` and `{until}` are put in. */
const words: Record<LanguageCode, Record<AboutRenewals, Words>> = {
  en: {
    'plan-changed': {
      subject: 'Your new subscription at {shop}',
      thanks: 'You’ve changed your subscription at {shop}. What was left of the one before has been taken off the price.',
      total: 'Amount paid: {amount}',
      until: 'It runs until {until}, and is then renewed at its full price. You can cancel it in your account at any time.',
    },
    renewal: {
      subject: 'Your subscription at {shop} has been renewed',
      thanks: 'Your subscription at {shop} has been renewed. Thank you for staying.',
      total: 'Amount paid: {amount}',
      until: 'It runs until {until}, and is then renewed again. You can cancel it in your account at any time.',
    },
    'renewal-failed': {
      subject: 'We couldn’t renew your subscription at {shop}',
      thanks: 'We couldn’t charge your card for your subscription at {shop}.',
      total: 'Amount due: {amount}',
      until:
        'You can go on reading until {until}. Until then the payment is tried again; another card in your account pays it at once.',
      link: 'Give another card',
    },
  },
  zh: {
    'plan-changed': {
      subject: '您在{shop}的新订阅',
      thanks: '您已更改在{shop}的订阅。原订阅的剩余部分已从价格中扣除。',
      total: '实付金额：{amount}',
      until: '订阅有效期至{until}，届时将按全价续订。您可随时在账号中取消。',
    },
    renewal: {
      subject: '您在{shop}的订阅已续订',
      thanks: '您在{shop}的订阅已续订，感谢您的支持。',
      total: '实付金额：{amount}',
      until: '订阅有效期至{until}，届时将再次续订。您可随时在账号中取消。',
    },
    'renewal-failed': {
      subject: '您在{shop}的订阅未能续订',
      thanks: '我们未能从您的银行卡扣取{shop}的订阅费用。',
      total: '应付金额：{amount}',
      until: '您可以继续阅读至{until}。在此之前我们会再次尝试扣款；在账号中更换银行卡可立即付款。',
      link: '更换银行卡',
    },
  },
  es: {
    'plan-changed': {
      subject: 'Tu nueva suscripción a {shop}',
      thanks: 'Has cambiado tu suscripción a {shop}. Lo que quedaba de la anterior se ha descontado del precio.',
      total: 'Importe pagado: {amount}',
      until:
        'Está vigente hasta el {until} y entonces se renovará por su precio completo. Puedes cancelarla en tu cuenta cuando quieras.',
    },
    renewal: {
      subject: 'Tu suscripción a {shop} se ha renovado',
      thanks: 'Tu suscripción a {shop} se ha renovado. Gracias por seguir con nosotros.',
      total: 'Importe pagado: {amount}',
      until: 'Está vigente hasta el {until} y entonces se renovará de nuevo. Puedes cancelarla en tu cuenta cuando quieras.',
    },
    'renewal-failed': {
      subject: 'No hemos podido renovar tu suscripción a {shop}',
      thanks: 'No hemos podido cobrar en tu tarjeta la suscripción a {shop}.',
      total: 'Importe pendiente: {amount}',
      until:
        'Puedes seguir leyendo hasta el {until}. Hasta entonces volveremos a intentar el cobro; con otra tarjeta en tu cuenta se paga al momento.',
      link: 'Indicar otra tarjeta',
    },
  },
  fr: {
    'plan-changed': {
      subject: 'Votre nouvel abonnement à {shop}',
      thanks: 'Vous avez changé d’abonnement à {shop}. Ce qui restait du précédent a été déduit du prix.',
      total: 'Montant payé\u202F: {amount}',
      until:
        'Il court jusqu’au {until}, puis sera renouvelé au prix complet. Vous pouvez le résilier dans votre compte à tout moment.',
    },
    renewal: {
      subject: 'Votre abonnement à {shop} a été renouvelé',
      thanks: 'Votre abonnement à {shop} a été renouvelé. Merci de votre fidélité.',
      total: 'Montant payé\u202F: {amount}',
      until:
        'Il court jusqu’au {until}, puis sera de nouveau renouvelé. Vous pouvez le résilier dans votre compte à tout moment.',
    },
    'renewal-failed': {
      subject: 'Nous n’avons pas pu renouveler votre abonnement à {shop}',
      thanks: 'Nous n’avons pas pu débiter votre carte pour votre abonnement à {shop}.',
      total: 'Montant dû\u202F: {amount}',
      until:
        'Vous pouvez continuer à lire jusqu’au {until}. D’ici là, le paiement sera tenté de nouveau\u202F; une autre carte dans votre compte le règle aussitôt.',
      link: 'Indiquer une autre carte',
    },
  },
  it: {
    'plan-changed': {
      subject: 'Il tuo nuovo abbonamento a {shop}',
      thanks: 'Hai cambiato il tuo abbonamento a {shop}. Quanto restava del precedente è stato detratto dal prezzo.',
      total: 'Importo pagato: {amount}',
      until: 'È valido fino al {until}, poi si rinnoverà a prezzo intero. Puoi disdirlo nel tuo account in qualsiasi momento.',
    },
    renewal: {
      subject: 'Il tuo abbonamento a {shop} è stato rinnovato',
      thanks: 'Il tuo abbonamento a {shop} è stato rinnovato. Grazie per essere rimasto con noi.',
      total: 'Importo pagato: {amount}',
      until: 'È valido fino al {until}, poi si rinnoverà di nuovo. Puoi disdirlo nel tuo account in qualsiasi momento.',
    },
    'renewal-failed': {
      subject: 'Non siamo riusciti a rinnovare il tuo abbonamento a {shop}',
      thanks: 'Non siamo riusciti ad addebitare sulla tua carta l’abbonamento a {shop}.',
      total: 'Importo dovuto: {amount}',
      until:
        'Puoi continuare a leggere fino al {until}. Nel frattempo il pagamento sarà ritentato; con un’altra carta nel tuo account si paga subito.',
      link: 'Indica un’altra carta',
    },
  },
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
  const { until, ...said } = words[about.language][kind];
  const { amountMinor, at } = renewal;
  const day = new Intl.DateTimeFormat(about.language, { dateStyle: 'long', timeZone: 'UTC' });
  const more = renewal.until === null ? [] : [until.replace('{until}', day.format(renewal.until))];
  return paymentLetter(renewal, about, { ...said, at, amountMinor, paidMinor: amountMinor, more });
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
