import { translatorTo } from '../base/words.ts';
import type { PaidFor } from './receipt.ts';
import { type AboutPayment, emailOfPurchase, moneyIn, type PaymentLetter, paymentLetter } from './receipt-letter.ts';

/** Writes that a payment went back, or a part of it, in the language in which it was paid. */
function refundLetter(paid: PaidFor, about: AboutPayment): PaymentLetter {
  const { currency, amountMinor: paidMinor, refundedMinor, gone, isOpened, isEnded, changedAt } = paid;
  const { language, shop } = about;
  const i18n = translatorTo(language);
  // Of a subscription a payment goes back as a whole, or not at all.
  const isWhole = gone === 'ended' || refundedMinor === paidMinor;
  const amount = moneyIn(language, currency, refundedMinor);
  const lost = {
    titles: isWhole && i18n.t('What you bought is no longer in your library.'),
    gift: isWhole && !isOpened && i18n.t('Nobody can open the gift any more.'),
    ended: isEnded && i18n.t('Your subscription has ended, and will not be charged again.'),
  }[gone];
  return paymentLetter(paid, about, {
    subject: i18n.t('Your refund from {shop}', { shop }),
    thanks: i18n.t('We’ve refunded your purchase at {shop}.', { shop }),
    total: isWhole
      ? i18n.t('Amount refunded: {amount}', { amount })
      : i18n.t('Amount refunded: {amount} of {paid}', { amount, paid: moneyIn(language, currency, paidMinor) }),
    at: changedAt,
    more: [
      i18n.t('It goes back to the card that you paid with. Your bank may need up to ten days to show it.'),
      ...(lost === false ? [] : [lost]),
    ],
  });
}

export const refundEmail = emailOfPurchase('refund', refundLetter);
