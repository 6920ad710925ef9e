import { receiptEmail, type PaymentEmail } from '../payment/receipt-letter.ts';
import { refundEmail } from '../payment/refund-letter.ts';
import { planChangedEmail, renewalEmail, renewalFailedEmail } from '../subscriptions/renewal-letter.ts';

/** All e-mails about payments. */
export const paymentEmails: readonly PaymentEmail[] = [
  receiptEmail,
  refundEmail,
  renewalEmail,
  renewalFailedEmail,
  planChangedEmail,
];
