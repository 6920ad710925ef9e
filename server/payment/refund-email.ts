import { getTranslator } from '../base/words.ts';
import type { PaymentEmailData } from './receipt.ts';
import {
  type PaymentEmailContext,
  createPurchaseEmail,
  formatMoney,
  type PaymentEmailText,
  formatPaymentEmail,
} from './payment-email.ts';

/** Composes the e-mail about a full or partial refund, in the language of the purchase. */
function formatRefundEmail(paid: PaymentEmailData, about: PaymentEmailContext): PaymentEmailText {
  const { currency, amountMinor: paidMinor, refundedMinor, gone, isOpened, isEnded, changedAt } = paid;
  const { language, shop } = about;
  const i18n = getTranslator(language);
  // A subscription's payment is only refunded as a whole.
  const isWhole = gone === 'ended' || refundedMinor === paidMinor;
  const amount = formatMoney(language, currency, refundedMinor);
  const lost = {
    titles: isWhole && i18n.t('What you bought is no longer in your library.'),
    gift: isWhole && !isOpened && i18n.t('The gift can no longer be opened.'),
    ended: isEnded && i18n.t('Your subscription has ended, and you won’t be charged again.'),
  }[gone];
  return formatPaymentEmail(paid, about, {
    subject: i18n.t('Your refund from {shop}', { shop }),
    thanks: i18n.t('We’ve refunded your purchase at {shop}.', { shop }),
    total: isWhole
      ? i18n.t('Amount refunded: {amount}', { amount })
      : i18n.t('Amount refunded: {amount} of {paid}', { amount, paid: formatMoney(language, currency, paidMinor) }),
    at: changedAt,
    more: [
      i18n.t('It goes back to the card that you paid with. Your bank may need up to ten days to show it.'),
      ...(lost === false ? [] : [lost]),
    ],
  });
}

export const refundEmail = createPurchaseEmail('refund', formatRefundEmail);
