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
function formatRefundEmail(data: PaymentEmailData, context: PaymentEmailContext): PaymentEmailText {
  const { currency, amountMinor: paidMinor, refundedMinor, lossKind, isOpened, isEnded, changedAt } = data;
  const { language, shop } = context;
  const i18n = getTranslator(language);
  // A subscription's payment is only refunded in full.
  const isFullRefund = lossKind === 'ended' || refundedMinor === paidMinor;
  const amount = formatMoney(language, currency, refundedMinor);
  const lossText = {
    titles: isFullRefund && i18n.t('What you bought is no longer in your library.'),
    gift: isFullRefund && !isOpened && i18n.t('The gift can no longer be opened.'),
    ended: isEnded && i18n.t('Your subscription has ended, and you won’t be charged again.'),
  }[lossKind];
  return formatPaymentEmail(data, context, {
    subject: i18n.t('Your refund from {shop}', { shop }),
    thanks: i18n.t('We’ve refunded your purchase at {shop}.', { shop }),
    total: isFullRefund
      ? i18n.t('Amount refunded: {amount}', { amount })
      : i18n.t('Amount refunded: {amount} of {paid}', { amount, paid: formatMoney(language, currency, paidMinor) }),
    at: changedAt,
    extraParagraphs: [
      i18n.t('It goes back to the card that you paid with. Your bank may need up to ten days to show it.'),
      ...(lossText === false ? [] : [lossText]),
    ],
  });
}

export const refundEmail = createPurchaseEmail('refund', formatRefundEmail);
