import type { LanguageCode } from '../base/language.ts';
import type { PaidFor } from './receipt.ts';
import { type AboutPayment, emailOfPurchase, type PaymentLetter, paymentLetter } from './receipt-letter.ts';

/** `{shop}`, `{amount}` and `{paid}` are put in; `part` is said where not all of it went back. */
type Words = {
  subject: string;
  thanks: string;
  total: string;
  part: string;
  bank: string;
  titles: string;
  gift: string;
  ended: string;
};

const words: Record<LanguageCode, Words> = {
  en: {
    subject: 'Your refund from {shop}',
    thanks: 'We’ve refunded your purchase at {shop}.',
    total: 'Amount refunded: {amount}',
    part: 'Amount refunded: {amount} of {paid}',
    bank: 'It goes back to the card that you paid with. Your bank may need up to ten days to show it.',
    titles: 'What you bought is no longer in your library.',
    gift: 'Nobody can open the gift any more.',
    ended: 'Your subscription has ended, and will not be charged again.',
  },
  zh: {
    subject: '{shop}已向您退款',
    thanks: '我们已为您在{shop}的订单退款。',
    total: '退款金额：{amount}',
    part: '退款金额：{amount}（实付{paid}）',
    bank: '款项将退回您付款时使用的银行卡，银行最多可能需要十天才会显示。',
    titles: '所购作品已不在您的书库中。',
    gift: '这份礼物已无法再领取。',
    ended: '您的订阅已结束，不会再次扣款。',
  },
  es: {
    subject: 'Tu reembolso de {shop}',
    thanks: 'Hemos reembolsado tu compra en {shop}.',
    total: 'Importe reembolsado: {amount}',
    part: 'Importe reembolsado: {amount} de {paid}',
    bank: 'Se devuelve a la tarjeta con la que pagaste. Tu banco puede tardar hasta diez días en mostrarlo.',
    titles: 'Lo que compraste ya no está en tu biblioteca.',
    gift: 'Ya nadie puede abrir el regalo.',
    ended: 'Tu suscripción ha terminado y no se te volverá a cobrar.',
  },
  fr: {
    subject: 'Votre remboursement de {shop}',
    thanks: 'Nous avons remboursé votre achat chez {shop}.',
    total: 'Montant remboursé\u202F: {amount}',
    part: 'Montant remboursé\u202F: {amount} sur {paid}',
    bank: 'Il est reversé sur la carte avec laquelle vous avez payé. Votre banque peut mettre jusqu’à dix jours à l’afficher.',
    titles: 'Ce que vous avez acheté n’est plus dans votre bibliothèque.',
    gift: 'Plus personne ne peut ouvrir le cadeau.',
    ended: 'Votre abonnement est terminé et ne vous sera plus facturé.',
  },
  it: {
    subject: 'Il tuo rimborso da {shop}',
    thanks: 'Abbiamo rimborsato il tuo acquisto da {shop}.',
    total: 'Importo rimborsato: {amount}',
    part: 'Importo rimborsato: {amount} su {paid}',
    bank: 'Torna sulla carta con cui hai pagato. La tua banca può impiegare fino a dieci giorni per mostrarlo.',
    titles: 'Ciò che hai acquistato non è più nella tua biblioteca.',
    gift: 'Nessuno può più aprire il regalo.',
    ended: 'Il tuo abbonamento è terminato e non ti verrà più addebitato.',
  },
};

/** Writes that a payment went back, or a part of it, in the language in which it was paid. */
function refundLetter(paid: PaidFor, about: AboutPayment): PaymentLetter {
  const { amountMinor: paidMinor, refundedMinor, gone, isOpened, isEnded, changedAt } = paid;
  const { subject, thanks, total, part, bank, ...sentences } = words[about.language];
  // Of a subscription a payment goes back as a whole, or not at all.
  const isWhole = gone === 'ended' || refundedMinor === paidMinor;
  const isSaid = { titles: isWhole, gift: isWhole && !isOpened, ended: isEnded }[gone];
  return paymentLetter(paid, about, {
    subject,
    thanks,
    total: isWhole ? total : part,
    at: changedAt,
    amountMinor: refundedMinor,
    paidMinor,
    more: [bank, ...(isSaid ? [sentences[gone]] : [])],
  });
}

export const refundEmail = emailOfPurchase('refund', refundLetter);
