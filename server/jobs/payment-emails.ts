import { receiptEmail, type PaymentEmail } from '../payment/payment-email.ts';
import { refundEmail } from '../payment/refund-email.ts';
import { planChangedEmail, renewalEmail, renewalFailedEmail } from '../subscriptions/renewal-email.ts';

/** All kinds of payment e-mails. */
export const paymentEmails: readonly PaymentEmail[] = [
  receiptEmail,
  refundEmail,
  renewalEmail,
  renewalFailedEmail,
  planChangedEmail,
];
