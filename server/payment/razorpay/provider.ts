import { optional } from 'valibot';
import { text } from '../../settings/variable.ts';
import { createKeySchema, type PaymentProvider } from '../provider.ts';
import { razorpayGateway } from './razorpay-gateway.ts';

export const razorpay: PaymentProvider<'RAZORPAY_KEY_ID' | 'RAZORPAY_KEY_SECRET' | 'RAZORPAY_WEBHOOK_SECRET'> = {
  name: 'razorpay',
  variables: {
    RAZORPAY_KEY_ID: { ...createKeySchema('rzp'), isNeeded: true, says: 'Razorpay’s key, sent to the page in `/config.json`' },
    RAZORPAY_KEY_SECRET: { schema: optional(text), isNeeded: true, isSecret: true, says: 'the secret of that key' },
    RAZORPAY_WEBHOOK_SECRET: {
      schema: optional(text),
      isNeeded: true,
      isSecret: true,
      says: 'the secret of a webhook at `/webhooks/razorpay`',
    },
  },
  readSettings: (given) => ({
    publicKey: given.RAZORPAY_KEY_ID,
    make: (timeout, names) =>
      razorpayGateway(
        {
          keyId: given.RAZORPAY_KEY_ID,
          keySecret: given.RAZORPAY_KEY_SECRET,
          webhookSecret: given.RAZORPAY_WEBHOOK_SECRET,
          timeout,
        },
        names,
      ),
  }),
};
